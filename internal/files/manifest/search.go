package manifest

// Search searches the bytes of one document for the words of filters, once however many filters ask. It is not safe for concurrent use.
type Search struct {
	Document *Document
	words    wordsIn // of the text without escapes
	read     bool
}

// NewSearch returns a search in a document.
func NewSearch(d *Document) *Search { return &Search{Document: d} }

// all returns the words in the document.
func (s *Search) all() *wordsIn {
	if !s.read {
		s.words, s.read = findWords(WithoutEscapes(s.Document.Bytes())), true
	}
	return &s.words
}

// bytes returns the text of the document without escapes.
func (s *Search) bytes() []byte { return s.all().text }

func (s *Search) contains(word searchedWord) bool { return s.all().has(word) }

func (s *Search) containsAny(words []searchedWord) bool {
	return len(words) == 0 || s.all().hasAny(words)
}

package manifest

import (
	"bytes"
	"sync"
)

// Search searches the bytes of one document for the words of filters, each word once however many filters ask for it. It is not safe for
// concurrent use.
type Search struct {
	Document *Document
	text     []byte // without escapes
	read     bool
	// searched and found have a bit for each word.
	searched, found [maxSearched / 64]uint64
}

// maxSearched is the number of words of which a search remembers the answer. All built-in rules together have fewer; words of further
// rules are searched again each time.
const maxSearched = 512

// NewSearch returns a search in a document.
func NewSearch(d *Document) *Search { return &Search{Document: d} }

// words numbers the words of all filters.
var words = struct {
	sync.Mutex
	numbers map[string]int
}{numbers: map[string]int{}}

// searchedWord is a word with its number.
type searchedWord struct {
	text   []byte
	number int
}

func newWord(text string) searchedWord {
	words.Lock()
	defer words.Unlock()
	number, known := words.numbers[text]
	if !known {
		number = len(words.numbers)
		words.numbers[text] = number
	}
	return searchedWord{[]byte(text), number}
}

// bytes returns the text of the document without escapes.
func (s *Search) bytes() []byte {
	if !s.read {
		s.text, s.read = WithoutEscapes(s.Document.Bytes()), true
	}
	return s.text
}

func (s *Search) contains(word searchedWord) bool {
	if word.number >= maxSearched {
		return bytes.Contains(s.bytes(), word.text)
	}
	at, bit := word.number/64, uint64(1)<<(word.number%64)
	if s.searched[at]&bit == 0 {
		s.searched[at] |= bit
		if bytes.Contains(s.bytes(), word.text) {
			s.found[at] |= bit
		}
	}
	return s.found[at]&bit != 0
}

func (s *Search) containsAny(words []searchedWord) bool {
	for _, word := range words {
		if s.contains(word) {
			return true
		}
	}
	return len(words) == 0
}

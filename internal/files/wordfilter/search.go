package wordfilter

import (
	"unique"

	"github.com/salint/salint/internal/files/manifest"
)

// Search searches the bytes of one document for the words of filters, once however many filters ask. It is not safe for concurrent use.
type Search struct {
	Document *manifest.Document
	// found are the words in the document, once they are searched. Thousands of documents have the same ones, which are kept once.
	found unique.Handle[foundWords]
	// encoded is whether the document can hold a kind in an encoded form, once a filter asks.
	encoded answer
}

// answer is one that can be not known yet.
type answer int8

const (
	unasked answer = iota
	no
	yes
)

// mayEncodeKind reports whether the document can hold a kind in a form in which its bytes do not show it.
func (s *Search) mayEncodeKind() bool {
	if s.encoded == unasked {
		s.encoded = no
		if encodedKind().Match(s.bytes()) {
			s.encoded = yes
		}
	}
	return s.encoded == yes
}

// NewSearch returns a search in a document.
func NewSearch(d *manifest.Document) *Search { return &Search{Document: d} }

// words returns the words in the document, for which it is searched once.
func (s *Search) words() wordsIn {
	if s.found == (unique.Handle[foundWords]{}) {
		s.found = unique.Make(findWords(s.bytes()))
	}
	return wordsIn{s.found.Value(), s}
}

// bytes returns the text of the document without escapes.
func (s *Search) bytes() []byte { return WithoutEscapes(s.Document.Bytes()) }

func (s *Search) contains(word searchedWord) bool {
	words := s.words()
	return words.has(word)
}

func (s *Search) containsAny(words []searchedWord) bool {
	if len(words) == 0 {
		return true
	}
	found := s.words()
	return found.hasAny(words)
}

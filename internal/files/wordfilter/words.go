package wordfilter

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// maxWords is the number of words that are searched together. All built-in rules have fewer; further words are searched one by one.
const maxWords = 512

// prefixSize is the number of bytes by which the index finds the words that can begin at a place.
const prefixSize = 3

// searchedWord is a word of a filter. Its number is that in the index, or unindexed.
type searchedWord struct {
	text   []byte
	number int
}

// unindexed is the number of a word that is not in the index, because it is short, or one too many.
const unindexed = -1

// wordSet has a bit for each word of the index.
type wordSet [maxWords / 64]uint64

func (s *wordSet) add(number int)      { s[number/64] |= 1 << (number % 64) }
func (s *wordSet) has(number int) bool { return s[number/64]&(1<<(number%64)) != 0 }

// words are the words of all filters in the index.
var words struct {
	sync.Mutex
	numbers map[string]int
	texts   [][]byte
	// index has all words. It is nil after a word was added, until the next search.
	index atomic.Pointer[wordIndex]
}

func newWord(text string) searchedWord {
	word := searchedWord{[]byte(text), unindexed}
	if len(text) < prefixSize {
		return word
	}
	words.Lock()
	defer words.Unlock()
	number, known := words.numbers[text]
	if !known {
		if len(words.texts) == maxWords {
			return word
		}
		if number = len(words.texts); words.numbers == nil {
			words.numbers = map[string]int{}
		}
		words.numbers[text] = number
		words.texts = append(words.texts, word.text)
		words.index.Store(nil)
	}
	word.number = number
	return word
}

// currentIndex returns the index of all words that filters have at this time.
func currentIndex() *wordIndex {
	if index := words.index.Load(); index != nil {
		return index
	}
	words.Lock()
	defer words.Unlock()
	index := words.index.Load()
	if index == nil {
		index = newWordIndex(words.texts)
		words.index.Store(index)
	}
	return index
}

// wordIndex finds all of many words in one pass over a text. Rules search each document for dozens of words, most of them in vain.
type wordIndex struct {
	size int
	// slots has for each hash of a prefix the number of its list in lists; list 0 is empty.
	slots [1 << hashBits]uint16
	lists [][]searchedWord
}

// hashBits makes a table that fits into the first cache of a processor, and in which few places of a text meet a word.
const hashBits = 13

// hashPrefix mixes the bytes of a prefix by multiplication with a large odd number, as Fibonacci hashing does.
func hashPrefix(prefix uint32) uint32 { return prefix * 0x9e3779b1 >> (32 - hashBits) }

func newWordIndex(texts [][]byte) *wordIndex {
	x := &wordIndex{size: len(texts), lists: [][]searchedWord{nil}}
	for number, text := range texts {
		slot := &x.slots[hashPrefix(uint32(text[0])|uint32(text[1])<<8|uint32(text[2])<<16)]
		if *slot == 0 {
			*slot = uint16(len(x.lists)) // at most maxWords
			x.lists = append(x.lists, nil)
		}
		x.lists[*slot] = append(x.lists[*slot], searchedWord{text, number})
	}
	return x
}

// find returns which words a text has.
func (x *wordIndex) find(text []byte) (found wordSet) {
	var prefix uint32 // of the last three bytes
	for at, char := range text {
		prefix = prefix>>8 | uint32(char)<<16
		if list := x.slots[hashPrefix(prefix)]; list != 0 && at >= prefixSize-1 {
			for _, word := range x.lists[list] {
				if bytes.HasPrefix(text[at-(prefixSize-1):], word.text) {
					found.add(word.number)
				}
			}
		}
	}
	return found
}

// foundWords are those of the first `size` words of the index that a text has.
type foundWords struct {
	set  wordSet
	size int
}

func findWords(text []byte) foundWords {
	index := currentIndex()
	return foundWords{index.find(text), index.size}
}

// wordsIn answers which words a text has.
type wordsIn struct {
	foundWords
	// text is searched for words that were not in the index.
	text interface{ bytes() []byte }
}

// wordsOf returns the words in a text.
func wordsOf(text []byte) wordsIn { return wordsIn{findWords(text), textOnly(text)} }

type textOnly []byte

func (t textOnly) bytes() []byte { return t }

// has reports whether the text has a word.
func (w *wordsIn) has(word searchedWord) bool {
	if word.number == unindexed || word.number >= w.size {
		return bytes.Contains(w.text.bytes(), word.text)
	}
	return w.set.has(word.number)
}

// hasAny reports whether the text has one of the words, or there are none.
func (w *wordsIn) hasAny(words []searchedWord) bool {
	for _, word := range words {
		if w.has(word) {
			return true
		}
	}
	return len(words) == 0
}

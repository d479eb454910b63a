package wordfilter

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestWordIndex compares one pass over a text with a search for each word, in texts of few letters, so that words overlap and begin alike.
func TestWordIndex(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		text := func(length int) []byte {
			made := make([]byte, random.IntN(length))
			for i := range made {
				made[i] = "abA-\x00\xff"[random.IntN(6)]
			}
			return made
		}
		var texts [][]byte
		for len(texts) < 40 {
			if word := text(9); len(word) >= prefixSize {
				texts = append(texts, word)
			}
		}
		index := newWordIndex(texts)
		for range 20 {
			searched := text(200)
			found := index.find(searched)
			for number, word := range texts {
				if got, want := found.has(number), bytes.Contains(searched, word); got != want {
					t.Fatalf("seed %d: %q in %q: %v, want %v", seed, word, searched, got, want)
				}
			}
		}
	}
}

// TestWordsOutsideOfTheIndex searches for words that are short, that were added after the search, and that are too many for the index.
func TestWordsOutsideOfTheIndex(t *testing.T) {
	before := newWord("in-the-index")
	in := wordsOf([]byte("in-the-index added-later id word-600-"))
	later := newWord("added-later")
	for word, want := range map[string]bool{"id": true, "xy": false, "in-": true, "added-": true} {
		if searched := newWord(word); in.has(searched) != want {
			t.Errorf("%q is not %v", word, want)
		}
	}
	if !in.has(before) || !in.has(later) {
		t.Error("a word is not found")
	}
	for n := range 2 * maxWords {
		if word := newWord(fmt.Sprintf("word-%d-", n)); in.has(word) != (n == 600) {
			t.Errorf("word %d: %v", n, !(n == 600))
		}
	}
	if unknown := newWord("one-too-many"); unknown.number != unindexed {
		t.Errorf("the index has more than %d words", maxWords)
	}
}

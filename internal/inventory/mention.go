package inventory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/salint/salint/internal/manifest"
)

// Mention is a place where a name occurs as a word.
type Mention struct {
	File string
	Line int
	// Kind is the kind of the object or document it occurs in; "" outside of manifests.
	Kind string
	// Ref is the object, as in Object.Ref, and Path the field or item inside it. They are zero where the text around it
	// is no object that can be read.
	Ref  string
	Path manifest.Path
}

// maxMentions is how many mentions of a name are read for one file. One more, without a Ref, stands for the rest.
const maxMentions = 1000

// Mentions finds the places where names occur, as words, in the files of the repository, whatever their type; binary
// files hold no words. The effort grows with the bytes, not with the number of names. The answer has an entry for every
// name, in the order of the files.
//
// The question behind it is whether an account may be deleted, and any mention keeps it, so it is generous: the part of
// a dotted word counts, and so does the word in a name that is filled in later. Only a comment in YAML does not count,
// provided the document can be parsed and its comments are known for certain: a comment refers to nothing that runs, it
// often explains the very account that goes, and commented-out manifests would keep accounts for ever.
func Mentions(ctx context.Context, files iter.Seq2[string, []byte], names []string) (map[string][]Mention, error) {
	search := wordSearch{mentions: map[string][]Mention{}}
	for _, name := range names {
		if err := search.add(name); err != nil {
			return nil, err
		}
	}
	for file, data := range files {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("looking for mentions of %d names: %w", len(names), err)
		}
		search.read(file, data)
	}
	found := make(map[string][]Mention, len(names))
	for _, name := range names {
		found[name] = search.mentions[longestToken(name)]
	}
	return found, nil
}

// wordSearch looks for a set of words.
type wordSearch struct {
	mentions map[string][]Mention // by word
	longest  int                  // the length of the longest word
}

func (s *wordSearch) add(name string) error {
	word := longestToken(name)
	if word == "" {
		return fmt.Errorf("the name %q has no letter or digit to look for", name)
	}
	s.mentions[word] = nil
	s.longest = max(s.longest, len(word))
	return nil
}

func (s *wordSearch) read(file string, data []byte) {
	hits := s.find(data)
	if len(hits) == 0 {
		return
	}
	for i, mention := range describe(file, data, hits) {
		if mention != nil {
			word := hits[i].word
			s.mentions[word] = append(s.mentions[word], *mention)
		}
	}
}

// hit is a word found in a text. Those of one text are in the order of their offsets.
type hit struct {
	word   string
	offset int
	// last stands for all further hits of the word.
	last bool
}

func (s *wordSearch) find(data []byte) []hit {
	if isBinary(data) {
		return nil
	}
	var hits []hit
	counts := map[string]int{}
	tokens(data, func(start int, token []byte) {
		readings(data, start, token, func(start int, reading []byte) {
			if len(reading) > s.longest {
				return
			}
			if _, wanted := s.mentions[string(reading)]; !wanted || counts[string(reading)] > maxMentions {
				return
			}
			word := string(reading)
			counts[word]++
			hits = append(hits, hit{word, start, counts[word] > maxMentions})
		})
	})
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.offset, b.offset) })
	return hits
}

// isBinary looks for a zero byte near the beginning, as git does.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

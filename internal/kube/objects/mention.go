package objects

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// Mention is a place where a name occurs as a word.
type Mention struct {
	File string
	Line int
	// Kind is the kind of the object or document it occurs in; "" outside of manifests.
	Kind string
	// Ref is the object, as in Object.Ref, and Path the field or item inside it. They are zero where the text around it
	// is no object that can be read. Of a template Path may be known all the same: metadata.name, roleRef.name or, without
	// an index, subjects.name.
	Ref  string
	Path manifest.Path
	// Means are the accounts that stand there once it is filled in; nil when that is not known. A name that is not known
	// is "".
	Means []Account
	// Template tells that what stands there may be the name when it is filled in, as ${APP}-installer.
	Template bool
}

// maxMentions is how many mentions of a name are read for one file. One more, without a Ref, stands for the rest.
const maxMentions = 1000

// Mentions finds the places where names occur, as words, in the files of the repository, whatever their type; binary
// files hold no words. A word may be written with escape sequences, or be put together when it is filled in. The effort
// grows with the bytes, not with the number of names. The answer has an entry for every name, in the order of the files.
//
// The question behind it is whether an account may be deleted, and any mention keeps it, so it is generous: the part of
// a dotted word counts, and so does the word in a name that is filled in later. Only a comment in YAML does not count,
// provided the document can be parsed and its comments are known for certain: a comment refers to nothing that runs, it
// often explains the very account that goes, and commented-out manifests would keep accounts for ever.
func Mentions(ctx context.Context, files iter.Seq2[string, []byte], names []string) (map[string][]Mention, error) {
	search := newWordSearch()
	for _, name := range names {
		search.add(name)
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
	// beginning and ending are the words by their parts up to a separator, with and without it.
	beginning, ending map[string][]string
	composed          map[string]int // mentions by templates, by word
}

func newWordSearch() wordSearch {
	return wordSearch{
		mentions: map[string][]Mention{}, composed: map[string]int{},
		beginning: map[string][]string{}, ending: map[string][]string{},
	}
}

// add takes a name up. One without a letter or digit is none that Kubernetes would take, and no word to look for.
func (s *wordSearch) add(name string) {
	word := longestToken(name)
	if word == "" {
		return
	}
	if _, known := s.mentions[word]; !known && word == name {
		s.addParts(word)
	}
	s.mentions[word] = nil
	s.longest = max(s.longest, len(word))
}

func (s *wordSearch) read(file string, data []byte) {
	data = SearchText(file, data)
	hits := s.find(data)
	if len(hits) == 0 {
		return
	}
	for i, mention := range describe(file, data, hits) {
		if mention != nil {
			word := hits[i].word
			mention.Template = hits[i].composed
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
	// composed tells that the word only comes of a template.
	composed bool
}

func (s *wordSearch) find(data []byte) []hit {
	f := finder{wordSearch: s, counts: map[string]int{}}
	tokens(data, func(start int, token []byte) { f.token(data, start, token, start) })
	if u, escapes := unescape(data); escapes {
		tokens(u.text, func(start int, token []byte) {
			if at, touched := u.original(start, len(token)); touched {
				f.token(u.text, start, token, at)
			}
		})
		templates(u.text, func(t template) {
			t.start = u.place(t.start)
			f.template(data, t)
		})
	} else {
		templates(data, func(t template) { f.template(data, t) })
	}
	slices.SortStableFunc(f.hits, func(a, b hit) int { return cmp.Compare(a.offset, b.offset) })
	return f.hits
}

// finder collects the hits in one text.
type finder struct {
	*wordSearch
	counts map[string]int
	hits   []hit
}

// token looks at everything that a token may stand for. At is where it stands in the file.
func (f *finder) token(text []byte, start int, token []byte, at int) {
	readings(text, start, token, func(place int, reading []byte) {
		if len(reading) > f.longest {
			return
		}
		if _, wanted := f.mentions[string(reading)]; !wanted || f.counts[string(reading)] > maxMentions {
			return
		}
		word := string(reading)
		f.counts[word]++
		f.hits = append(f.hits, hit{word: word, offset: at + place - start, last: f.counts[word] > maxMentions})
	})
}

package uses

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// maxPlaces is how many places of a name are read in one file. One more, without a Ref, represents the rest.
const maxPlaces = 1000

// Find finds the places where names occur, as words, in the files of the repository, of any type; binary files contain
// no words. A word can be written with escape sequences, or be assembled when a template is rendered. The effort depends on
// the bytes, not on the number of names. The result has an entry for every name, in the order of the files.
//
// The result decides whether an account can be deleted, and any place keeps it, so the search is generous: a part of a
// dotted word counts, and so does the word in a name with placeholders. Only YAML comments do not count, if the document
// can be parsed and its comments are known for certain: a comment does not affect the cluster, it often explains the
// account that is deleted, and commented-out manifests would keep accounts forever.
func Find(ctx context.Context, files iter.Seq2[string, []byte], names []string) (map[string][]Place, error) {
	return Search{Names: names}.In(ctx, files)
}

// Search is [Find] in a repository of which more is known.
type Search struct {
	Names []string
	// Known are files of the repository. Their documents are not parsed again if they are parsed already.
	Known map[string]*manifest.File
	// Skips reports whether a file is left out. Several goroutines call it; nil leaves out none.
	Skips func(file string, data []byte) bool
}

// In searches files, several at a time. They are read one after the other.
func (m Search) In(ctx context.Context, files iter.Seq2[string, []byte]) (map[string][]Place, error) {
	search := newWordSearch()
	search.known = m.Known
	for _, name := range m.Names {
		search.add(name)
	}
	var mu sync.Mutex
	results := map[int]textPlaces{} // by the number of the file
	batches := make(chan []searchedText)
	go func() {
		defer close(batches)
		sendBatches(ctx, files, batches)
	}()
	parallel.Each(func() {
		for batch := range batches {
			for _, text := range batch {
				if ctx.Err() != nil || m.Skips != nil && m.Skips(text.file, text.data) {
					continue
				}
				if found := search.read(text.file, text.data); len(found) > 0 {
					mu.Lock()
					results[text.number] = found
					mu.Unlock()
				}
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("search for %d names: %w", len(m.Names), err)
	}
	for _, number := range slices.Sorted(maps.Keys(results)) {
		search.addPlaces(results[number])
	}
	found := make(map[string][]Place, len(m.Names))
	for _, name := range m.Names {
		found[name] = search.places[longestToken(name)]
	}
	return found, nil
}

// searchedText is a file in which names are searched.
type searchedText struct {
	number int
	file   string
	data   []byte
}

const (
	// maxBatch and maxBatchBytes limit the files that are sent at once: sending each by itself takes longer than searching it.
	maxBatch      = 32
	maxBatchBytes = 1 << 20
)

// sendBatches sends the files, numbered, until ctx is done.
func sendBatches(ctx context.Context, files iter.Seq2[string, []byte], batches chan<- []searchedText) {
	var batch []searchedText
	number, size := 0, 0
	for file, data := range files {
		if ctx.Err() != nil {
			return
		}
		batch = append(batch, searchedText{number, file, data})
		number, size = number+1, size+len(data)
		if len(batch) == maxBatch || size >= maxBatchBytes {
			batches <- batch
			batch, size = nil, 0
		}
	}
	if len(batch) > 0 {
		batches <- batch
	}
}

// MayBeInObject reports whether [Find] can find one of the names in an object of a file, decided by its bytes: they contain
// the name, or something from which it can result, such as an escape sequence or a placeholder. Only manifests have objects.
func MayBeInObject(file string, data []byte, names []string) bool {
	if !objects.IsManifestName(file) {
		return false
	}
	for _, sign := range []string{"\\", "\x00", "$", "%", "{{"} {
		if bytes.Contains(data, []byte(sign)) {
			return true
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(data, []byte(longestToken(name))) })
}

// wordSearch searches for a set of words.
type wordSearch struct {
	places  map[string][]Place // by word
	longest int                // the length of the longest word
	// byPrefix and bySuffix are the words by their parts up to a separator, with and without it.
	byPrefix, bySuffix map[string][]string
	templated          map[string]int // number of templated places in all texts, by word
	known              map[string]*manifest.File
}

func newWordSearch() wordSearch {
	return wordSearch{
		places: map[string][]Place{}, templated: map[string]int{},
		byPrefix: map[string][]string{}, bySuffix: map[string][]string{},
	}
}

// add adds a name. A name without a letter or digit is not valid in Kubernetes, and is not searched for.
func (s *wordSearch) add(name string) {
	word := longestToken(name)
	if word == "" {
		return
	}
	if _, known := s.places[word]; !known && word == name {
		s.addParts(word)
	}
	s.places[word] = nil
	s.longest = max(s.longest, len(word))
}

// textPlaces are the places in a text, in the order of their offsets.
type textPlaces []wordPlace

// wordPlace is a place of a word.
type wordPlace struct {
	word string
	Place
}

// read returns the places in a file. Several goroutines call it.
func (s *wordSearch) read(file string, data []byte) textPlaces {
	data = loader.SearchText(file, data)
	hits := s.find(data)
	if len(hits) == 0 {
		return nil
	}
	var found textPlaces
	for i, place := range describe(file, data, hits, s.known[file]) {
		if place != nil {
			if hits[i].templated {
				place.Certainty = Possible
			}
			found = append(found, wordPlace{hits[i].word, *place})
		}
	}
	return found
}

// addPlaces adds the places in a file. Of the templated places of a word, the first of those that are too many represents the
// rest, without an object.
func (s *wordSearch) addPlaces(found textPlaces) {
	for _, m := range found {
		if m.Certainty == Possible {
			if s.templated[m.word]++; s.templated[m.word] > maxTemplates+1 {
				continue
			}
			if s.templated[m.word] > maxTemplates {
				m.Place = Place{File: m.File, Line: m.Line, Certainty: Possible}
			}
		}
		s.places[m.word] = append(s.places[m.word], m.Place)
	}
}

// hit is a word found in a text. The hits of one text are in the order of their offsets.
type hit struct {
	word   string
	offset int
	// last represents all further hits of the word.
	last bool
	// templated is true if the word only results from a template.
	templated bool
}

func (s *wordSearch) find(data []byte) []hit {
	f := finder{wordSearch: s, counts: map[string]int{}, templated: map[string]int{}}
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
	counts    map[string]int
	templated map[string]int // number of templated places in this text, by word
	hits      []hit
}

// token records every interpretation of a token. At is its offset in the file.
func (f *finder) token(text []byte, start int, token []byte, at int) {
	readings(text, start, token, func(place int, reading []byte) {
		if len(reading) > f.longest {
			return
		}
		if _, wanted := f.places[string(reading)]; !wanted || f.counts[string(reading)] > maxPlaces {
			return
		}
		word := string(reading)
		f.counts[word]++
		f.hits = append(f.hits, hit{word: word, offset: at + place - start, last: f.counts[word] > maxPlaces})
	})
}

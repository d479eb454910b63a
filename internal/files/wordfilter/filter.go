package wordfilter

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// Filter selects the documents that are worth parsing, by their bytes: by kind without group, and for each kind by words. A
// document of a kind is selected only if it contains one of the kind's words.
type Filter struct {
	kinds map[string]kindWords
	// list has the same.
	list []kindWords
	// holders are the kinds that hold other objects, with words of which each such document has one.
	holders map[string]kindWords
	// all selects every document.
	all bool
}

// kindWords are the name of a kind and words of which a document has one.
type kindWords struct {
	kind  searchedWord
	words []searchedWord
}

// AnyKind stands for every kind, with any words.
const AnyKind = "*"

// New returns a filter for kinds and their words. A kind without words is always selected.
func New(kinds map[string][]string) *Filter {
	if _, any := kinds[AnyKind]; any {
		return All()
	}
	f := &Filter{kinds: wordsByKind(kinds)}
	f.list = slices.Collect(maps.Values(f.kinds))
	return f
}

// All returns a filter that selects every document.
func All() *Filter { return &Filter{all: true} }

// Inside also selects documents of some kinds if they name any of the kinds of the filter inside, and one of the words
// listed for the outer kind.
func (f *Filter) Inside(holders map[string][]string) *Filter {
	f.holders = wordsByKind(holders)
	return f
}

func wordsByKind(kinds map[string][]string) map[string]kindWords {
	all := make(map[string]kindWords, len(kinds))
	for kind, words := range kinds {
		entry := kindWords{newWord(kind), make([]searchedWord, len(words))}
		for n, word := range words {
			entry.words[n] = newWord(word)
		}
		all[kind] = entry
	}
	return all
}

// Matches reports whether the document can hold an object that is asked for. A document is rejected for its kind only if
// its top-level kind is visible. A document that contains other objects, or shows no kind, is selected if it names any of
// the kinds.
func (f *Filter) Matches(d *manifest.Document) bool { return f.Selects(NewSearch(d)) }

// Selects reports what [Filter.Matches] reports for the document of a search.
func (f *Filter) Selects(s *Search) bool {
	if f.all {
		return true
	}
	kind := s.Document.Kind()
	if kind == "" || manifest.IsContainer(kind) {
		return f.Names(s) || s.mayEncodeKind()
	}
	wanted, is := f.kinds[kind]
	return is && s.containsAny(wanted.words) || f.Holds(s) && (f.Names(s) || s.mayEncodeKind())
}

// Holds reports whether a document can hold other objects: it is a list or a template, or of a kind of [Filter.Inside].
func (f *Filter) Holds(s *Search) bool {
	holder, holds := f.holders[s.Document.Kind()]
	return holds && s.containsAny(holder.words) || manifest.IsContainer(s.Document.Kind())
}

// Names reports whether a document names a kind and one of its words, at any place: a patch that does can turn an object into one that
// is asked for.
func (f *Filter) Names(s *Search) bool {
	if f.all {
		return true
	}
	for _, wanted := range f.list {
		if s.contains(wanted.kind) && s.containsAny(wanted.words) {
			return true
		}
	}
	return false
}

// MatchesText reports what [Filter.Names] reports for a text that is no document.
func (f *Filter) MatchesText(text []byte) bool {
	if f.all {
		return true
	}
	words := wordsOf(WithoutEscapes(text))
	for _, wanted := range f.list {
		if words.has(wanted.kind) && words.hasAny(wanted.words) {
			return true
		}
	}
	return false
}

// WithoutEscapes returns a text in which escapes of ASCII are the characters that they stand for, as in JSON and double-quoted strings
// of YAML: `service\u0041ccount` has the word `serviceAccount`. A line break after a backslash is none.
func WithoutEscapes(text []byte) []byte {
	var out []byte
	rest := text
	for {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 || at+1 == len(rest) {
			break
		}
		char, length := escaped(rest[at+1:])
		if length == 0 {
			out, rest = append(out, rest[:at+2]...), rest[at+2:]
			continue
		}
		out, rest = append(append(out, rest[:at]...), char...), rest[at+1+length:]
	}
	if out == nil {
		return text
	}
	return append(out, rest...)
}

// escaped returns what the characters after a backslash stand for, and how many they are: 0 for what is not the escape of a character
// that a word can have.
func escaped(text []byte) (char []byte, length int) {
	digits := 0
	switch text[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	switch {
	case text[0] == '/':
		return text[:1], 1
	case text[0] == '\n' || bytes.HasPrefix(text, []byte("\r\n")):
		return nil, len(text) - len(bytes.TrimLeft(text, "\r\n \t"))
	case digits == 0 || len(text) <= digits:
		return nil, 0
	}
	code, err := strconv.ParseUint(string(text[1:1+digits]), 16, 32)
	if err != nil || code < ' ' || code > '~' {
		return nil, 0
	}
	return []byte{byte(code)}, 1 + digits
}

// Has reports whether objects of a kind are asked for.
func (f *Filter) Has(kind string) bool {
	_, is := f.kinds[kind]
	return is || f.all
}

// MatchesAdded reports whether an object to which a text is added may be asked for, although it was not before: the text has a word of
// a kind.
func (f *Filter) MatchesAdded(text []byte) bool {
	words := wordsOf(text)
	return f.all || slices.ContainsFunc(f.list, func(wanted kindWords) bool { return len(wanted.words) > 0 && words.hasAny(wanted.words) })
}

// MatchesGenerated reports whether an object of a kind that is generated from a text may be asked for.
func (f *Filter) MatchesGenerated(kind string, text []byte) bool {
	wanted, selected := f.kinds[kind]
	holder, holds := f.holders[kind]
	if f.all || !selected && !holds {
		return f.all
	}
	words := wordsOf(text)
	return selected && words.hasAny(wanted.words) || holds && words.hasAny(holder.words)
}

// encodedKind matches a kind that is not written literally: with a tag such as !!binary, an escape, or as a block.
var encodedKind = lazyregexp.New(`(?m)^[ \t-]*["']?kind["']?[ \t]*:[ \t]+(?:&[^ \t\n]+[ \t]+)?(?:!|[|>]|"[^"\n]*\\)`)

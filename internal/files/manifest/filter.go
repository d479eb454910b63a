package manifest

import (
	"bytes"
	"regexp"
	"strings"
)

// Filter selects the documents that are worth parsing, by their bytes: by kind without group, and for each kind by words. A
// document of a kind is selected only if it contains one of the kind's words.
type Filter struct {
	kinds map[string][][]byte
	// holders are the kinds that hold other objects, with words of which each such document has one.
	holders map[string][][]byte
}

// NewFilter returns a filter for kinds and their words. A kind without words is always selected.
func NewFilter(kinds map[string][]string) *Filter {
	return &Filter{kinds: wordsByKind(kinds)}
}

// Inside also selects documents of some kinds if they name any of the kinds of the filter inside, and one of the words
// listed for the outer kind.
func (f *Filter) Inside(holders map[string][]string) *Filter {
	f.holders = wordsByKind(holders)
	return f
}

func wordsByKind(kinds map[string][]string) map[string][][]byte {
	all := make(map[string][][]byte, len(kinds))
	for kind, words := range kinds {
		list := make([][]byte, len(words))
		for n, word := range words {
			list[n] = []byte(word)
		}
		all[kind] = list
	}
	return all
}

// Matches reports whether the document can hold an object that is asked for. A document is rejected for its kind only if
// its top-level kind is visible. A document that contains other objects, or shows no kind, is selected if it names any of
// the kinds.
func (f *Filter) Matches(d *Document) bool {
	kind := d.Kind()
	if kind == "" || IsContainer(kind) {
		return f.namesKind(d.Bytes()) || encodedKind.Match(d.Bytes())
	}
	words, wanted := f.kinds[kind]
	return wanted && containsAny(d.Bytes(), words) || f.Holds(d) && (f.namesKind(d.Bytes()) || encodedKind.Match(d.Bytes()))
}

// Holds reports whether a document can hold other objects: it is a list or a template, or of a kind of [Filter.Inside].
func (f *Filter) Holds(d *Document) bool {
	words, holds := f.holders[d.Kind()]
	return holds && containsAny(d.Bytes(), words) || IsContainer(d.Kind())
}

// MatchesText reports whether a text names a kind and one of its words: a patch that does can turn an object into one that
// is asked for.
func (f *Filter) MatchesText(text []byte) bool { return f.namesKind(text) }

// encodedKind matches a kind that is not written literally: with a tag such as !!binary, an escape, or as a block.
var encodedKind = regexp.MustCompile(`(?m)^[ \t-]*["']?kind["']?[ \t]*:[ \t]+(?:&[^ \t\n]+[ \t]+)?(?:!|[|>]|"[^"\n]*\\)`)

func (f *Filter) namesKind(data []byte) bool {
	for kind, words := range f.kinds {
		if bytes.Contains(data, []byte(kind)) && containsAny(data, words) {
			return true
		}
	}
	return false
}

func containsAny(data []byte, words [][]byte) bool {
	for _, word := range words {
		if bytes.Contains(data, word) {
			return true
		}
	}
	return len(words) == 0
}

// IsContainer reports whether objects of this kind hold other objects: List, RoleList, and similar kinds, and OpenShift's
// Template.
func IsContainer(kind string) bool {
	return strings.HasSuffix(kind, "List") || kind == "Template"
}

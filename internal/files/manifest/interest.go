package manifest

import (
	"bytes"
	"regexp"
	"strings"
)

// Interest says which documents are worth parsing, by their bytes. The reader is told what to look for and knows no
// rule: kinds without their group, and for each the words without one of which nobody asks for such a document.
type Interest struct {
	kinds map[string][][]byte
}

// NewInterest takes kinds and their words. A kind without words is always of interest.
func NewInterest(kinds map[string][]string) *Interest {
	i := &Interest{kinds: make(map[string][][]byte, len(kinds))}
	for kind, words := range kinds {
		list := make([][]byte, len(words))
		for n, word := range words {
			list[n] = []byte(word)
		}
		i.kinds[kind] = list
	}
	return i
}

// Wants tells whether the document may hold an object of interest. Only a document whose top-level kind is visibly
// another is turned down for its kind; one that holds others, or shows no kind, is wanted when it names a kind at all.
func (i *Interest) Wants(d *Document) bool {
	kind := d.Kind()
	if kind == "" || IsContainer(kind) {
		return i.namesKind(d.Bytes()) || hiddenKind.Match(d.Bytes())
	}
	words, wanted := i.kinds[kind]
	return wanted && containsAny(d.Bytes(), words)
}

// Mentions tells whether a text names a kind and one of its words: a patch that does may make an object one of interest.
func (i *Interest) Mentions(text []byte) bool { return i.namesKind(text) }

// hiddenKind is a kind that is not written letter by letter: by a tag such as !!binary, an escape, or as a block.
var hiddenKind = regexp.MustCompile(`(?m)^[ \t-]*["']?kind["']?[ \t]*:[ \t]+(?:&[^ \t\n]+[ \t]+)?(?:!|[|>]|"[^"\n]*\\)`)

func (i *Interest) namesKind(data []byte) bool {
	for kind, words := range i.kinds {
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

// IsContainer tells whether objects of this kind hold other objects: List, RoleList and their like, and OpenShift's
// Template.
func IsContainer(kind string) bool {
	return strings.HasSuffix(kind, "List") || kind == "Template"
}

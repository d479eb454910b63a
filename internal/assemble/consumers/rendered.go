package consumers

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// maxMarker is the length of the beginning of a file in which a marker of a generator stands.
const maxMarker = 2048

// renderedMarker matches a comment by which a program marks a manifest that it writes: of generators in general, and of helm template.
var renderedMarker = lazyregexp.New(`(?i)^[ \t]*#.*\bdo[ -]not[ -](?:edit|modify|change)\b|^[ \t]*#\s*Code generated (?:by|from)\b|^[ \t]*#\s*Source: \S+/templates/|` +
	`^[ \t]*#\s*(?:this|the) (?:file|manifest|yaml) (?:is|was|has been) (?:auto[ -]?)?(?:generated|rendered) (?:by|from|with)\b`)

// isRendered reports whether a manifest may have such a comment.
func isRendered(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), maxMarker)], '#') >= 0
}

// rendered adds a manifest that has the marker of a generator above its first field.
func (x *Index) rendered(file string, data []byte) {
	number := 0
	for line := range bytes.Lines(data[:min(len(data), maxMarker)]) {
		number++
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || bytes.Equal(trimmed, []byte("---")):
		case trimmed[0] != '#':
			return
		case renderedMarker().Match(line):
			c := at(file, number, "")
			c.Writes = true
			c.Input = file
			x.inputs[file] = c
			return
		}
	}
}

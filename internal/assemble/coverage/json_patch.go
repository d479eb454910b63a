package coverage

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// operation matches the operation of a JSON patch.
var operation = lazyregexp.New(`(?m)[\s,{-]["']?op["']?\s*:\s*["']?(?:add|remove|replace|move|copy|test)\b`)

// IsJSONPatch reports whether a file holds a JSON patch: a list of operations, which is no object.
func IsJSONPatch(f *manifest.File) bool {
	if len(f.Docs) != 1 || f.Docs[0].Kind() != "" || !bytes.Contains(f.Data, []byte("path")) {
		return false
	}
	text := f.Docs[0].Bytes()
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.HasPrefix(line, []byte("---")) {
			return (line[0] == '-' || line[0] == '[') && operation().Match(f.Data)
		}
		text = rest
	}
	return false
}


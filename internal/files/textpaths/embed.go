package textpaths

import (
	"path"
	"strings"
)

func isGo(file string) bool { return path.Ext(file) == ".go" }

// addEmbedded adds the files and folders that a Go file embeds. All else in it is left out: sources name many files that they do
// not apply.
func (x *Index) addEmbedded(file, text string) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		patterns, ok := strings.CutPrefix(line, "//go:embed ")
		if !ok {
			continue
		}
		for _, pattern := range strings.Fields(patterns) {
			pattern = strings.TrimPrefix(strings.Trim(pattern, "\"`"), "all:")
			place := Place{File: file, Line: number, Pattern: strings.ContainsAny(pattern, "*?[")}
			x.embedded[path.Dir(file)] = append(x.embedded[path.Dir(file)], named{Place: place, path: path.Clean(pattern)})
		}
	}
}

// findEmbedded returns where a file, or a folder that contains it, is embedded. Its program may read it by its name.
func (x *Index) findEmbedded(target string) (Place, bool) {
	for dir := target; dir != "."; {
		dir = path.Dir(dir)
		for _, n := range x.embedded[dir] {
			if embeds(n.path, strings.TrimPrefix(target, dir+"/")) {
				return n.Place, true
			}
		}
	}
	return Place{}, false
}

// embeds reports whether a pattern takes a path or a folder above it.
func embeds(pattern, relative string) bool {
	for at := relative; at != "."; at = path.Dir(at) {
		if isMatch(pattern, at) {
			return true
		}
	}
	return pattern == "."
}

package uses

import (
	"path"
	"strings"
)

// protectNamesIn protects what a kustomization names that could not be parsed. Its text contains the paths as they are, unless
// characters are escaped or filled in: then every file with one of the names is protected, or every file.
func (g *protectedFiles) protectNamesIn(dir, text, why string) {
	if strings.Contains(text, "\\") {
		g.reasonForAll = why
		return
	}
	segments := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isPathRune(r) }) {
		target := path.Join(dir, word)
		if strings.Contains(word, ":") {
			continue
		}
		if target != dir && (g.names[g.links.Real(target)] || g.dirs[g.links.Real(target)]) {
			g.protect(target, why)
		}
		g.protectReentrant(target, why)
		for segment := range strings.SplitSeq(word, "/") {
			segments[segment] = true
		}
	}
	filledIn := strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "${")
	for _, all := range []map[string]bool{g.names, g.dirs} {
		for name := range all {
			base := path.Base(name)
			odd := strings.ContainsFunc(base, func(r rune) bool { return !isPathRune(r) })
			if filledIn && segments[base] || odd && strings.Contains(text, base) {
				g.protect(name, why)
			}
		}
	}
}

func isPathRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+@~=", r) || r > 127
}

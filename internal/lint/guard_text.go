package lint

import (
	"path"
	"strings"
)

// spelled reaches what the text of a kustomization names that could not be parsed. Paths stand in it as they are, unless
// characters are escaped or filled in: then the names of files and folders alone count, or everything does.
func (g *guard) spelled(dir, text, why string) {
	if strings.Contains(text, "\\") {
		g.all = why
		return
	}
	segments := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isPathRune(r) }) {
		target := path.Join(dir, word)
		if strings.Contains(word, ":") {
			continue
		}
		if target != dir && (g.names[g.real(target)] || g.dirs[g.real(target)]) {
			g.reach(target, why)
		}
		g.returning(target, why)
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
				g.reach(name, why)
			}
		}
	}
}

func isPathRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+@~=", r) || r > 127
}

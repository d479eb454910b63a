// Package nearest suggests the known name that was probably meant.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Name returns the candidate that is most similar to the name, or "" if none is similar enough. Of equally similar
// candidates the first wins.
func Name(name string, candidates []string) string {
	best, distance := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

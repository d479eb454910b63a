// Package nearest finds the known name that somebody probably meant.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Name is the candidate that looks most like the name; "" when none of them is close enough to be meant. Of equally
// close candidates the first wins.
func Name(name string, candidates []string) string {
	best, distance := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// Package nearest suggests the known name that was probably meant.
package nearest

import (
	"fmt"
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

// Unknown returns the error about a name that is none of the known ones: it suggests the nearest of them, and lists all.
func Unknown(what, name string, known []string) error {
	meant := ""
	if n := Name(name, known); n != "" {
		meant = fmt.Sprintf(" (did you mean %s?)", n)
	}
	return fmt.Errorf("unknown %s %q%s: use one of %s", what, name, meant, strings.Join(known, ", "))
}

// Suggestion suggests the known name that was probably meant, or lists them all.
func Suggestion(name string, known []string) string {
	if n := Name(name, known); n != "" {
		return "did you mean " + n + "?"
	}
	return "valid are " + strings.Join(known, ", ")
}

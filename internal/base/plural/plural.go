// Package plural writes numbers with their nouns.
package plural

import (
	"fmt"
	"strings"
)

// Of returns a number with a noun: "1 file", "2 files", "2 identities".
func Of(n int, noun string) string {
	if stem, found := strings.CutSuffix(noun, "y"); found {
		return Words(n, noun, stem+"ies")
	}
	return Words(n, noun, noun+"s")
}

// Words returns a number with the words for one or for many.
func Words(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

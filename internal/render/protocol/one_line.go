package protocol

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// ambiguous finds the objects that a reference can mean. Kustomize visits references in the sequence of a map, so which of them its
// message names first changes from run to run; the objects that are meant are mostly the same.
var ambiguous = lazyregexp.New(`updating name reference in .*(found multiple possible referrals: )([^\n]+)`)

// OneLine returns a message of kustomize or Helm as one line, the same for the same input: without the dump of objects that follows a
// blank line, and with what it lists in a fixed order.
func OneLine(message string) string {
	message, _, _ = strings.Cut(strings.TrimSpace(message), "\n\n")
	if parts := ambiguous().FindStringSubmatch(message); parts != nil {
		message = "updating name references: " + parts[1] + strings.Join(sorted(strings.Split(parts[2], ", ")), ", ")
	}
	lines := strings.Split(message, "\n")
	for start := 0; start < len(lines); start++ {
		end := start
		for end < len(lines) && strings.HasPrefix(lines[end], "- ") {
			end++
		}
		slices.Sort(lines[start:end])
		start = max(start, end-1)
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

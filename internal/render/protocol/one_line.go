package protocol

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// ambiguous finds the objects that a reference can mean. Kustomize visits references in the sequence of a map, so which of them its
// message names first changes from run to run; the objects that are meant are mostly the same.
var ambiguous = lazyregexp.New(`updating name reference in .*(found multiple possible referrals: )([^\n]+)`)

// wrapped finds the message about a component, which kustomize quotes.
var wrapped = lazyregexp.New(`^accumulating components: accumulateDirectory: ("recursed accumulation of path '[^'\n]+': [^\n]*")$`)

// inner returns the message about the innermost component, with its path.
func inner(message string) string {
	for {
		parts := wrapped().FindStringSubmatch(message)
		if parts == nil {
			return message
		}
		unquoted, err := strconv.Unquote(parts[1])
		if err != nil {
			return message
		}
		component, why, _ := strings.Cut(strings.TrimPrefix(unquoted, "recursed accumulation of path '"), "': ")
		if !wrapped().MatchString(why) {
			return component + ": " + why
		}
		message = why
	}
}

// unmatched finds what kustomize says three times about a patch whose object does not exist.
var unmatched = lazyregexp.New(`(no resource matches strategic merge patch \\?"[^"\\]+\\?"): no matches for Id [^;\n]+; failed to find unique target for patch [^\s"]+`)

// OneLine returns a message of kustomize or Helm as one line, the same for the same input: without the dump of objects that follows a
// blank line, and with what it lists in a fixed order.
func OneLine(message string) string {
	message, _, _ = strings.Cut(strings.TrimSpace(message), "\n\n")
	if parts := ambiguous().FindStringSubmatch(message); parts != nil {
		message = "updating name references: " + parts[1] + strings.Join(sorted(strings.Split(parts[2], ", ")), ", ")
	}
	message = unmatched().ReplaceAllString(inner(message), "$1")
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

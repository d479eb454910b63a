package finding

import (
	"fmt"
	"slices"
	"strings"
)

// sameReason is the message of the place of a file that was not checked for the reason that the finding has.
const sameReason = "not checked for this reason"

// shownUnchecked is how many of these files [AlsoUnchecked] lists.
const shownUnchecked = 10

// CountUnchecked returns how many other files were not checked for the reason of a gathered finding that does not count its places itself.
func CountUnchecked(f Finding) int {
	if f.Places > 0 {
		return 0
	}
	isFile := func(r Related) bool { return r.Message == sameReason }
	return len(f.Related) - len(slices.DeleteFunc(slices.Clone(f.Related), isFile))
}

// AlsoUnchecked returns a sentence with the other files that were not checked for the reason of a gathered finding, for reports that do
// not list its places; "" without any.
func AlsoUnchecked(f Finding) string {
	var files []string
	for _, r := range f.Related {
		if r.Message == sameReason {
			files = append(files, r.File)
		}
	}
	if len(files) == 0 {
		return ""
	}
	more := ""
	if len(files) > shownUnchecked {
		more = fmt.Sprintf(", and %d more", len(files)-shownUnchecked)
		files = files[:shownUnchecked]
	}
	return "Not checked for this reason: " + strings.Join(files, ", ") + more + "."
}

// Gathered joins the findings about files that were not checked for one reason: each becomes a place of the finding at the reason, or of
// the first of them. Reports for people show them so; others list each.
func Gathered(findings []Finding) []Finding {
	atReason := map[Place]int{}
	for i, f := range findings {
		if f.Rule == RuleNotChecked.Name && f.Unchecked == nil {
			atReason[Place{File: f.File, Line: f.Range.Line}] = i
		}
	}
	out, joined := slices.Clone(findings), make([]bool, len(findings))
	type topic struct {
		message string
		reason  Place
	}
	first := map[topic]int{}
	for i, f := range findings {
		if f.Unchecked == nil {
			continue
		}
		of := topic{f.Message, f.Unchecked.Reason}
		head, known := atReason[of.reason]
		if !known {
			head, known = first[of]
		}
		if !known {
			first[of] = i
			continue
		}
		place := Related{File: f.File, Line: f.Range.Line, Message: sameReason}
		out[head].Related = append(slices.Clone(out[head].Related), place)
		joined[i] = true
	}
	kept := make([]Finding, 0, len(out))
	for i, f := range out {
		if !joined[i] {
			kept = append(kept, f)
		}
	}
	return kept
}

package finding

import "slices"

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
		place := Related{File: f.File, Line: f.Range.Line, Message: "not checked for this reason"}
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

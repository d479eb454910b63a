package judging

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
)

const (
	// mostBroken is how many documents of one file that could not be parsed have a finding each. More of them are one finding.
	mostBroken = 5
	// listedBroken is how many of them one finding lists after the first.
	listedBroken = 3
)

// brokenIn are the documents of one file that could not be parsed, and why.
type brokenIn struct {
	rule, file, why string
	severity        finding.Severity
}

// FoldBroken returns sorted findings with one finding for a file in which more than a few documents could not be parsed: at the first of
// them, with their number. It runs after ignores and the baseline, which apply to each document.
func FoldBroken(findings []finding.Finding) []finding.Finding {
	count := map[brokenIn]int{}
	for _, f := range findings {
		if key, ok := brokenKey(f); ok {
			count[key]++
		}
	}
	first := map[brokenIn]int{} // place among the kept findings
	var kept []finding.Finding
	for _, f := range findings {
		key, ok := brokenKey(f)
		if n := count[key]; !ok || n <= mostBroken {
			kept = append(kept, f)
			continue
		}
		at, known := first[key]
		if !known {
			first[key] = len(kept)
			f.Message = fmt.Sprintf("%s (the first of %d such documents in this file)", f.Message, count[key])
			kept = append(kept, f)
			continue
		}
		listBroken(&kept[at], f, key, count[key])
	}
	return kept
}

// brokenKey returns which findings about documents of a file are alike; ok is false for other findings.
func brokenKey(f finding.Finding) (key brokenIn, ok bool) {
	for _, why := range loader.WhyNotParsed {
		if strings.HasPrefix(f.Message, why) && (f.Rule == finding.RuleUnparsable.Name || f.Rule == finding.RuleNotChecked.Name) {
			return brokenIn{f.Rule, f.File, why, f.Severity}, true
		}
	}
	return brokenIn{}, false
}

// listBroken adds a document to the finding about the first one, or the number of those that are not listed.
func listBroken(to *finding.Finding, f finding.Finding, key brokenIn, count int) {
	place := finding.Related{File: f.File, Line: f.Range.Line, Message: strings.TrimPrefix(f.Message, key.why)}
	switch listed := len(to.Related); {
	case listed == listedBroken:
		place.Message = fmt.Sprintf("%d more", count-1-listedBroken)
		fallthrough
	case listed < listedBroken:
		to.Related = append(to.Related, place)
	}
}

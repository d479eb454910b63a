package remarks

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
)

// SilencedFixes returns the note on findings that a run would fix if nothing silenced them; nil if there are none. Makes reports whether
// the run makes fixes of a kind, and rel converts a file of the repository to a path to show.
func SilencedFixes(suppressed []finding.Finding, makes func(finding.FixKind) bool, rel func(file string) string) []string {
	var findings []finding.Finding
	for _, f := range suppressed {
		if f.Fix != nil && f.Suppression != nil && makes(f.Fix.Kind) {
			findings = append(findings, f)
		}
	}
	switch len(findings) {
	case 0:
		return nil
	case 1:
		return []string{"1 finding with a fix is silenced by " + means(findings, rel) + ", so it is not fixed"}
	}
	return []string{fmt.Sprintf("%d findings with a fix are silenced by %s, so they are not fixed", len(findings), means(findings, rel))}
}

// means lists what silences findings: the baseline by its name, a single comment or annotation by its place.
func means(findings []finding.Finding, rel func(file string) string) string {
	places := map[finding.SuppressedBy][]string{}
	for _, f := range findings {
		place := ""
		if f.Suppression.File != "" {
			place = rel(f.Suppression.File)
		}
		if f.Suppression.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, f.Suppression.Line)
		}
		if by := f.Suppression.By; !slices.Contains(places[by], place) {
			places[by] = append(places[by], place)
		}
	}
	var all []string
	for _, by := range []finding.SuppressedBy{finding.ByBaseline, finding.ByComment, finding.ByAnnotation} {
		switch found := places[by]; {
		case len(found) == 0:
		case by == finding.ByBaseline && found[0] != "":
			all = append(all, found[0])
		case by == finding.ByBaseline:
			all = append(all, "the baseline")
		case len(found) == 1:
			all = append(all, fmt.Sprintf("the %s at %s", by, found[0]))
		default:
			all = append(all, string(by)+"s")
		}
	}
	return finding.List(all, len(all))
}

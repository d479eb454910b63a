package remarks

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/output/alike"
)

// shownNotes is how many remarks about a run are printed without --verbose.
const shownNotes = 10

// Fold returns the first remarks about a run, all that say what is not checked or reported, and the number of the others. Of the
// others, those that differ only in names are one.
func Fold(notes []string) []string {
	var shown []string
	places, counts := map[string]int{}, map[int]int{}
	more := 0
	for _, note := range notes {
		if isGap(note) {
			shown = append(shown, note)
			continue
		}
		shape := alike.Shape(note)
		switch i, known := places[shape]; {
		case known:
			counts[i]++
		case len(places) < shownNotes:
			places[shape] = len(shown)
			shown = append(shown, note)
		default:
			more++
		}
	}
	for i, n := range counts {
		shown[i] += fmt.Sprintf(" (and %d more like it: --verbose lists all)", n)
	}
	if more > 0 {
		shown = append(shown, fmt.Sprintf("%d more notes: --verbose lists them", more))
	}
	return shown
}

// isGap returns whether a remark says what a run did not look at, which is listed for each place.
func isGap(note string) bool {
	return strings.Contains(note, "not checked") || strings.Contains(note, "not reported")
}

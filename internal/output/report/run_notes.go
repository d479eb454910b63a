package report

import (
	"fmt"
	"strings"
)

// shownNotes is how many remarks about a run are printed without --verbose.
const shownNotes = 10

// FoldRunNotes returns the first remarks about a run, all that say what is not checked or reported, and the number of the others.
func FoldRunNotes(notes []string) []string {
	var shown []string
	for i, note := range notes {
		if i < shownNotes || strings.Contains(note, "not checked") || strings.Contains(note, "not reported") {
			shown = append(shown, note)
		}
	}
	if more := len(notes) - len(shown); more > 1 {
		return append(shown, fmt.Sprintf("%d more notes: --verbose lists them", more))
	}
	return notes
}

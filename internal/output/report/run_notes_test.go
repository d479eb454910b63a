package report

import (
	"fmt"
	"slices"
	"testing"
)

func TestFoldRunNotes(t *testing.T) {
	t.Parallel()
	var notes []string
	for i := range shownNotes {
		notes = append(notes, fmt.Sprint("fix ", i))
	}
	if got := FoldRunNotes(notes); !slices.Equal(got, notes) {
		t.Errorf("few notes: %q", got)
	}
	notes = append(notes, "not checked: 2 files", "fix x", "3 findings elsewhere are not reported", "fix y")
	want := append(slices.Clone(notes[:shownNotes+1]), notes[shownNotes+2], "2 more notes: --verbose lists them")
	if got := FoldRunNotes(notes); !slices.Equal(got, want) {
		t.Errorf("many notes: %q", got)
	}
}

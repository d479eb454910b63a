package remarks

import (
	"slices"
	"testing"
)

func TestFold(t *testing.T) {
	t.Parallel()
	var notes []string
	for i := range shownNotes {
		notes = append(notes, "fix "+string(rune('a'+i)))
	}
	if got := Fold(notes); !slices.Equal(got, notes) {
		t.Errorf("few notes: %q", got)
	}
	notes = append(notes, "not checked: 2 files", "fix x", "3 findings elsewhere are not reported", "fix y")
	want := append(slices.Clone(notes[:shownNotes+1]), notes[shownNotes+2], "2 more notes: --verbose lists them")
	if got := Fold(notes); !slices.Equal(got, want) {
		t.Errorf("many notes: %q", got)
	}
	notes = []string{"a/b stays", "not checked: a/b", "c/d stays", "not checked: c/d", "e/f is gone"}
	want = []string{"a/b stays (and 1 more like it: --verbose lists all)", "not checked: a/b", "not checked: c/d", "e/f is gone"}
	if got := Fold(notes); !slices.Equal(got, want) {
		t.Errorf("notes that are alike: %q", got)
	}
}

package loader

import (
	"fmt"
	"strings"
	"testing"
)

// TestReadLimitsAllAliases checks that documents with aliases are reported, in the order of the files, when all together
// stand for too many values, that documents without are read, and that a document which is too large alone is reported.
func TestReadLimitsAllAliases(t *testing.T) {
	t.Parallel()
	doublings := func(levels int) string {
		var b strings.Builder
		b.WriteString("a0: &a0 [x]\n")
		for i := range levels {
			fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
		}
		return b.String()
	}
	files := tree{"alone.yaml": role + doublings(20)}
	for i := range 20 {
		files[fmt.Sprintf("f%02d.yaml", i)] = role + doublings(12) + "---\n" + role
	}
	w := read(t, files, nil)
	problems := w.NotRead
	if len(problems) < 5 || len(problems) > 19 {
		t.Fatalf("%d problems: %v", len(problems), problems)
	}
	if got := problems[0].String(); !strings.HasPrefix(got, "alone.yaml:18:") || !strings.Contains(got, "more than 50k values") {
		t.Error(got)
	}
	for i, p := range problems[1:] {
		file := fmt.Sprintf("f%02d.yaml:1:1: ", 21-len(problems)+i)
		if !p.Invalid || !strings.HasPrefix(p.String(), file) || !strings.Contains(p.Message, "in the files up to this one") {
			t.Errorf("%v, want a problem at %s", p, file)
		}
	}
	objects := 0
	for _, unit := range w.Units {
		objects += len(unit.Objects)
	}
	if want := 40 - (len(problems) - 1); objects != want {
		t.Errorf("%d objects, want %d", objects, want)
	}
}

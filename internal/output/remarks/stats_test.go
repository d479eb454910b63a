package remarks

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/lint/session"
	rendering "github.com/salint/salint/internal/render"
)

func TestStatsText(t *testing.T) {
	t.Parallel()
	got := Stats(session.Stats{
		Files: 12, Documents: 30, Parsed: 9, Units: 4, Deferred: 2, Unbuilt: 1,
		Rendered:        rendering.Counters{Kustomizations: 3, ByReason: rendering.ByReason{rendering.ForUnit: 1, rendering.ForAttempt: 2}, Charts: 1, Queries: 40, Reused: 2},
		Evaluations:     map[string]int{"a/a": 1, "a/b": 7, "a/c": 7, "a/d": 2},
		EvaluationTimes: map[string]time.Duration{"a/a": 5 * time.Millisecond, "a/c": 3 * time.Millisecond, "a/b": 3 * time.Millisecond},
		Phases:          []session.Phase{{Name: "reading", Time: 12 * time.Millisecond}, {Name: "building", Time: 1500 * time.Microsecond}},
	})
	want := `files       12
documents   30, parsed: 9
units       4, deferred: 2, never built: 1
builds      3, which read 40 files and folders
reasons     unit: 1, attempt: 2
renderings  1
reused      2 builds and renderings
evaluations 17
rule        a/a: 1 evaluations, 5 ms
rule        a/b: 7 evaluations, 3 ms
rule        a/c: 7 evaluations, 3 ms
rule        a/d: 2 evaluations, 0 ms
time        12 ms reading
time        1 ms building
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	many := map[string]int{}
	for _, name := range strings.Split("abcdefghijklmno", "") {
		many[name] = 1
	}
	if got := slowestRules(session.Stats{Evaluations: many}); len(got) != shownSlowest {
		t.Errorf("%d rules: %v", len(got), got)
	}
}

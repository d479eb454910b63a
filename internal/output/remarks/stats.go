package remarks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/lint/session"
	rendering "github.com/salint/salint/internal/render"
)

// shownSlowest is the number of rules that --stats lists.
const shownSlowest = 10

// Stats returns what --stats prints.
func Stats(s session.Stats) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s"+format+"\n", append([]any{name}, args...)...)
	}
	line("files", "%d", s.Files)
	line("documents", "%d, parsed: %d", s.Documents, s.Parsed)
	line("units", "%d, deferred: %d, never built: %d", s.Units, s.Deferred, s.Unbuilt)
	line("builds", "%d, which read %d files and folders", s.Rendered.Kustomizations, s.Rendered.Queries)
	if reasons := reasons(s.Rendered.ByReason); len(reasons) > 1 {
		line("reasons", "%s", strings.Join(reasons, ", "))
	}
	line("renderings", "%d", s.Rendered.Charts)
	line("reused", "%d builds and renderings", s.Rendered.Reused)
	total := 0
	for _, n := range s.Evaluations {
		total += n
	}
	line("evaluations", "%d", total)
	for _, name := range slowestRules(s) {
		line("rule", "%s: %d evaluations, %d ms", name, s.Evaluations[name], s.EvaluationTimes[name].Milliseconds())
	}
	for _, p := range s.Phases {
		line("time", "%d ms %s", p.Time.Milliseconds(), p.Name)
	}
	return b.String()
}

// reasons returns the numbers of builds for each reason that there was.
func reasons(by rendering.ByReason) []string {
	var all []string
	for reason, n := range by {
		if n > 0 {
			all = append(all, fmt.Sprintf("%s: %d", rendering.Reason(reason), n))
		}
	}
	return all
}

// slowestRules returns the rules that took the most time.
func slowestRules(s session.Stats) []string {
	names := slices.SortedFunc(maps.Keys(s.Evaluations), func(a, b string) int {
		return cmp.Or(
			cmp.Compare(s.EvaluationTimes[b], s.EvaluationTimes[a]),
			cmp.Compare(s.Evaluations[b], s.Evaluations[a]),
			strings.Compare(a, b),
		)
	})
	return names[:min(shownSlowest, len(names))]
}

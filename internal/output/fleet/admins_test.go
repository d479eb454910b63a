package fleet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

// TestSinceWhen reads three sets of reports. The days are those of the runs.
func TestSinceWhen(t *testing.T) {
	t.Parallel()
	grant := func(file string) finding.Finding { return found("rbac/cluster-admin-grant", finding.Warning, file) }
	on := func(day string, findings ...finding.Finding) string {
		r := lintResult("example.org/one", findings...)
		r.Run.Date = day
		return reportOf(t, r)
	}
	first := folder(t, map[string]string{"a.json": on("2026-01-01", grant("old.yaml"), grant("again.yaml"))})
	second := folder(t, map[string]string{"a.json": on("2026-01-08", grant("old.yaml"), grant("week.yaml"))})
	without := folder(t, map[string]string{"other.json": reportOf(t, lintResult("example.org/two"))})
	now := folder(t, map[string]string{"a.json": on("2026-01-15", grant("old.yaml"), grant("again.yaml"), grant("week.yaml"), grant("new.yaml"))})
	for name, test := range map[string]struct {
		since []string
		want  map[string]string
	}{
		"no earlier reports": {nil, map[string]string{"old.yaml": "2026-01-15", "again.yaml": "2026-01-15", "week.yaml": "2026-01-15", "new.yaml": "2026-01-15"}},
		"two sets":           {[]string{first, second}, map[string]string{"old.yaml": "2026-01-01", "again.yaml": "2026-01-15", "week.yaml": "2026-01-08", "new.yaml": "2026-01-15"}},
		"a set without the repository": {
			[]string{first, without}, map[string]string{"old.yaml": "2026-01-01", "again.yaml": "2026-01-01", "week.yaml": "2026-01-15", "new.yaml": "2026-01-15"},
		},
	} {
		got := map[string]string{}
		text, f := write(t, "text", Options{Paths: []string{now}, Since: test.since})
		for _, a := range f.Admins {
			got[a.File] = a.Since
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if has := strings.Contains(text, ", since 2026-01-01"); has != (test.since != nil) {
			t.Errorf("%s: the text has a day: %t\n%s", name, has, text)
		}
	}
}

func TestUnlisted(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*finding.Result){
		"":                                func(*finding.Result) {},
		"rbac/cluster-admin-grant is off": func(r *finding.Result) { r.Run.RulesOff = []string{"olm/a", "rbac/cluster-admin-grant"} },
		"3 findings are silenced":         func(r *finding.Result) { r.Run.Known, r.Run.Ignored = 2, 1 },
		"the run was limited to paths a":  func(r *finding.Result) { r.Run.Paths = []string{"a"} },
		"the run was limited to some rules (--only)": func(r *finding.Result) { r.Run.Only = []string{"token/*"} },
	} {
		r := lintResult("example.org/one")
		change(r)
		text, f := write(t, "text", Options{Paths: []string{folder(t, map[string]string{"a.json": reportOf(t, r)})}})
		html, _ := write(t, "html", Options{Paths: []string{folder(t, map[string]string{"a.json": reportOf(t, r)})}})
		if strings.Contains(html, "Grants can be missing") != (want != "") {
			t.Errorf("%q in HTML", want)
		}
		got := ""
		for _, u := range f.Unlisted() {
			got += u.Why
		}
		if got != want || strings.Contains(text, "can be missing") != (want != "") {
			t.Errorf("got %q, want %q\n%s", got, want, text)
		}
	}
}

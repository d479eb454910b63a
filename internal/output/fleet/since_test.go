package fleet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

type change struct {
	New, Open, Gone, NotCompared int
	GoneUnknown                  int
	Missing                      []string
}

func changeOf(f *Fleet) change {
	t := f.Totals()
	c := change{New: t.New, Open: f.open(), Gone: t.Gone, NotCompared: t.NotCompared, GoneUnknown: f.goneUnknown()}
	for _, m := range f.Missing {
		c.Missing = append(c.Missing, m.Name)
	}
	return c
}

func TestSince(t *testing.T) {
	t.Parallel()
	a, b := found("olm/a", finding.Error, "a.yaml"), found("pod/b", finding.Warning, "b.yaml")
	moved := a
	moved.Range.Line = 99
	fixed := a
	fixed.Fix = &finding.Fix{Kind: finding.Safe, Applied: true}
	one := func(findings ...finding.Finding) *finding.Result { return lintResult("example.org/one", findings...) }
	cutShort, unread, hidden := one(b), one(), one(b)
	cutShort.Incomplete = true
	unread.Summary.Unchecked = "exclude matches 3 manifests"
	hidden.Summary.NotShown, hidden.Summary.Notes = 2, 2
	otherTarget := one(b)
	otherTarget.Target.Name = "ocp-4.20"
	for name, test := range map[string]struct {
		before, now []*finding.Result
		want        change
	}{
		"the same":                            {[]*finding.Result{one(a, b)}, []*finding.Result{one(moved, b)}, change{Open: 2}},
		"new and gone":                        {[]*finding.Result{one(a)}, []*finding.Result{one(b)}, change{New: 1, Gone: 1}},
		"fixed by the run":                    {[]*finding.Result{one(a)}, []*finding.Result{one(fixed)}, change{Gone: 1}},
		"fixed by the earlier run":            {[]*finding.Result{one(fixed)}, []*finding.Result{one()}, change{}},
		"the same fingerprint elsewhere":      {[]*finding.Result{one(), lintResult("example.org/two", a)}, []*finding.Result{one(a), lintResult("example.org/two")}, change{New: 1, Gone: 1}},
		"a repository without earlier report": {[]*finding.Result{lintResult("example.org/two")}, []*finding.Result{one(a), lintResult("example.org/two")}, change{NotCompared: 1}},
		"a repository without a report now":   {[]*finding.Result{one(a), lintResult("example.org/two", b)}, []*finding.Result{one(a)}, change{Open: 1, Missing: []string{"example.org/two"}}},
		"a run that failed in part":           {[]*finding.Result{one(a, b)}, []*finding.Result{cutShort}, change{Open: 1, GoneUnknown: 1}},
		"a run that checked nothing":          {[]*finding.Result{one(a)}, []*finding.Result{unread}, change{GoneUnknown: 1}},
		"a run that hides notes":              {[]*finding.Result{one(a, b)}, []*finding.Result{hidden}, change{Open: 1, GoneUnknown: 1}},
		"found for another target":            {[]*finding.Result{one(a, b)}, []*finding.Result{one(a), otherTarget}, change{Open: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := collect(t, Options{Paths: []string{folderOf(t, test.now)}, Since: []string{folderOf(t, test.before)}})
			if diff := cmp.Diff(test.want, changeOf(f)); diff != "" || len(f.Problems) > 0 {
				t.Errorf("(-want +got):\n%s%v", diff, f.Problems)
			}
		})
	}
}

// folderOf writes the reports of results to a folder.
func folderOf(t *testing.T, results []*finding.Result) string {
	t.Helper()
	reports := map[string]string{}
	for i, r := range results {
		reports[string(rune('a'+i))+".json"] = reportOf(t, r)
	}
	return folder(t, reports)
}

// Rows have what is gone, too, so that a sum over them needs no other file.
func TestStatusOfRows(t *testing.T) {
	t.Parallel()
	a, b, c := found("olm/a", finding.Error, "a.yaml"), found("pod/b", finding.Warning, "b.yaml"), found("pod/c", finding.Note, "c.yaml")
	before := folderOf(t, []*finding.Result{lintResult("example.org/one", a, b)})
	now := folderOf(t, []*finding.Result{lintResult("example.org/one", b, c), lintResult("example.org/two", a)})
	text, _ := write(t, "csv", Options{Paths: []string{now}, Since: []string{before}})
	var got []string
	for line := range strings.Lines(text) {
		cells := strings.Split(line, ",")
		got = append(got, strings.Join([]string{cells[0], cells[3], cells[4]}, " "))
	}
	want := []string{
		"repository status rule", "example.org/one open pod/b", "example.org/one new pod/c", "example.org/one gone olm/a", "example.org/two  olm/a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTrend(t *testing.T) {
	t.Parallel()
	a, b := found("olm/a", finding.Error, "a.yaml"), found("pod/b", finding.Warning, "b.yaml")
	dir := folder(t, map[string]string{
		"first/a.json": reportOf(t, lintResult("example.org/one", a, b)), "second/a.json": reportOf(t, lintResult("example.org/one", a)),
		"second/cut.json": reportOf(t, lintResult("example.org/two", a, b))[:900], "now/a.json": reportOf(t, lintResult("example.org/one", b)),
	})
	f := collect(t, Options{Dir: dir, Paths: []string{"now"}, Since: []string{"first", "second"}})
	want := []Point{{"first", 1, 1, 1, 0}, {"second", 1, 1, 0, 0}, {"now", 1, 0, 1, 0}}
	if diff := cmp.Diff(want, f.Trend); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.Problems) != 1 || f.Problems[0].File != "second/cut.json" {
		t.Errorf("problems %v", f.Problems)
	}
	if diff := cmp.Diff(change{New: 1, Gone: 1}, changeOf(f)); diff != "" {
		t.Errorf("compared with the last (-want +got):\n%s", diff)
	}
}

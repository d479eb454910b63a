package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
)

// A repository is clean only if its report shows that nothing was left out.
func TestStates(t *testing.T) {
	t.Parallel()
	const day = "2026-01-31"
	for state, test := range map[string]struct {
		change           func(r *finding.Result)
		unsummed         bool
		o                Options
		failed, doubtful bool
	}{
		"clean":     {change: func(*finding.Result) {}, o: Options{NotBefore: day, Revisions: map[string]string{"example.org/one": "1f"}}},
		"partial":   {change: func(r *finding.Result) { r.Run.Paths = []string{"apps"} }, failed: true},
		"partial ":  {change: func(r *finding.Result) { r.Run.Only = []string{"token/*"} }, failed: true},
		"partial  ": {change: func(r *finding.Result) { r.Run.ChangedSince = "main" }, failed: true},
		"stale":     {change: func(*finding.Result) {}, o: Options{NotBefore: "2026-02-01"}, failed: true},
		"stale ":    {change: func(*finding.Result) {}, o: Options{Revisions: map[string]string{"example.org/one": "2e"}}, failed: true},
		"stale  ":   {change: func(r *finding.Result) { r.Run = nil }, o: Options{NotBefore: day}, failed: true, doubtful: true},
		"clean with 2 rules off and 1 exclude": {change: func(r *finding.Result) {
			r.Run.RulesOff, r.Run.Exclude = []string{"olm/a", "olm/b"}, []string{"old/**"}
		}},
		"clean with 3 findings in the baseline and 1 ignored finding": {change: func(r *finding.Result) { r.Run.Known, r.Run.Ignored = 3, 1 }},
		"clean, 12 not checked":                 {change: func(r *finding.Result) { r.Summary.NotChecked = 12 }, doubtful: true},
		"clean, 1 file differs from the commit": {change: func(r *finding.Result) { r.Run.WorkTree = finding.WorkTree{Compared: true, Changed: 1} }, doubtful: true},
		"clean, of an unknown commit":           {change: func(r *finding.Result) { r.Origin.Revision = "" }, doubtful: true},
		"clean, without a checksum":             {change: func(*finding.Result) {}, unsummed: true, doubtful: true},
		"clean, without a record of the run":    {change: func(r *finding.Result) { r.Run = nil }, doubtful: true},
		"findings with 1 rule off": {change: func(r *finding.Result) {
			r.Findings, r.Run.RulesOff = []finding.Finding{found("olm/a", finding.Note, "a.yaml")}, []string{"olm/b"}
			r.Summary.Count(r.Findings)
		}},
	} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			r := lintResult("example.org/one")
			test.change(r)
			o := test.o
			text := reportOf(t, r)
			if test.unsummed {
				text = withoutChecksum(text)
			}
			o.Paths = []string{folder(t, map[string]string{"a.json": text})}
			f := collect(t, o)
			if len(f.Repositories) != 1 {
				t.Fatalf("%d repositories, problems %v", len(f.Repositories), f.Problems)
			}
			if got, want := f.Repositories[0].State(), strings.TrimSpace(state); got != want {
				t.Errorf("the state is %q, not %q", got, want)
			}
			if f.Failed() != test.failed || f.Doubtful() != test.doubtful {
				t.Errorf("failed: %t, doubtful: %t", f.Failed(), f.Doubtful())
			}
			wantClean := 0
			if state == "clean" {
				wantClean = 1
			}
			if got := f.Totals().Clean; got != wantClean {
				t.Errorf("%d repositories are clean", got)
			}
		})
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	one, two := reportOf(t, lintResult("example.org/one")), reportOf(t, lintResult("example.org/two"))
	three := reportOf(t, lintResult("example.org/three"))
	for name, test := range map[string]struct {
		change map[string]string // after the manifest was written; "" removes a file
		want   []string
	}{
		"as written":      {nil, nil},
		"reformatted":     {map[string]string{"one.json": strings.ReplaceAll(one, "\n", "\r\n")}, []string{"one.json has another hash than in SHA256SUMS"}},
		"without its sum": {map[string]string{"one.json": withoutChecksum(one)}, []string{"one.json has no checksum", "one.json has another hash than in SHA256SUMS"}},
		"added":           {map[string]string{"sub/three.json": three}, []string{"sub/three.json is not listed in SHA256SUMS"}},
		"removed":         {map[string]string{"two.json": ""}, []string{"two.json is listed in SHA256SUMS, and cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, map[string]string{"one.json": one, "two.json": two})
			text, _ := write(t, "manifest", Options{Dir: dir, Paths: []string{"."}})
			if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for file, text := range test.change {
				path := filepath.Join(dir, file)
				err := os.MkdirAll(filepath.Dir(path), 0o755)
				if err == nil && text == "" {
					err = os.Remove(path)
				} else if err == nil {
					err = os.WriteFile(path, []byte(text), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			f := collect(t, Options{Dir: dir, Paths: []string{"."}, Verify: true})
			var got []string
			for _, p := range f.Problems {
				got = append(got, p.File+" "+p.Text)
			}
			short := func(all []string) (cut []string) {
				for i, text := range all {
					cut = append(cut, text[:min(len(text), len(test.want[min(i, len(test.want)-1)]))])
				}
				return cut
			}
			if len(got) != len(test.want) {
				t.Fatalf("problems %q, want %q", got, test.want)
			}
			if diff := cmp.Diff(test.want, short(got)); len(got) > 0 && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An account in the namespace of a release is one of each repository, and a grant counts once.
func TestGrants(t *testing.T) {
	t.Parallel()
	grant := func(rule, file, namespace string) finding.Finding {
		f := found(rule, finding.Warning, file)
		f.Subject = &finding.Subject{Kind: "ServiceAccount", Namespace: namespace, Name: "installer"}
		return f
	}
	reports := map[string]string{
		"a.json": reportOf(t, lintResult("example.org/a", grant("rbac/cluster-admin-grant", "x.yaml", "release-namespace"), grant("olm/cluster-admin-grant", "x.yaml", "release-namespace"))),
		"b.json": reportOf(t, lintResult("example.org/b", grant("rbac/cluster-admin-grant", "x.yaml", "release-namespace"), grant("rbac/cluster-admin-grant", "y.yaml", "ops"))),
		"c.json": reportOf(t, lintResult("example.org/c", grant("rbac/cluster-admin-grant", "y.yaml", "ops"))),
	}
	f := collect(t, Options{Paths: []string{folder(t, reports)}})
	if got, want := f.adminCount(), "4 grants to 3 names"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	var names []string
	for _, g := range f.adminGroups() {
		names = append(names, g.Name()+": "+g.where(3))
	}
	want := []string{
		"ServiceAccount ops/installer: example.org/b and example.org/c",
		"ServiceAccount installer in the namespace of the release: example.org/a",
		"ServiceAccount installer in the namespace of the release: example.org/b",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

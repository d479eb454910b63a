package fleet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/output/report"
)

// lintResult is what lint found in a repository.
func lintResult(repository string, findings ...finding.Finding) *finding.Result {
	r := &finding.Result{
		Version: "0.1.0", Origin: finding.Provenance{Repository: repository, Revision: "1f"},
		Target: finding.Target{Name: "olm-1.11", Model: "ignored"}, Findings: findings,
		Summary: finding.Summary{Files: 3, Documents: 5},
		Run:     &finding.Run{Date: "2026-01-31"},
	}
	r.Summary.Count(findings)
	return r
}

func found(rule string, severity finding.Severity, file string) finding.Finding {
	return finding.Finding{Rule: rule, Severity: severity, File: file, Message: "a message", Target: "olm-1.11", Range: finding.Range{Line: 3}}
}

// reportOf is the JSON report of a result.
func reportOf(t testing.TB, r *finding.Result) string {
	t.Helper()
	var text bytes.Buffer
	if err := report.Write(&text, "json", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// folder writes reports to a new folder.
func folder(t testing.TB, reports map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range reports {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func collect(t testing.TB, o Options) *Fleet {
	t.Helper()
	f, err := Collect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// write returns a report about many repositories.
func write(t testing.TB, format string, o Options) (string, *Fleet) {
	t.Helper()
	var out bytes.Buffer
	f, err := Writer{Version: "0.1.0"}.Write(t.Context(), &out, format, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), f
}

// randomReports are reports of repositories with random findings, some of which have the same fingerprint in several repositories.
func randomReports(t testing.TB, repositories, findings int, seed uint64) map[string]string {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	rules := []string{"olm/a", "olm/cluster-admin-grant", "rbac/cluster-admin-grant", "pod/b", "repo/not-checked"}
	reports := map[string]string{}
	for i := range repositories {
		var all []finding.Finding
		for n := range random.IntN(findings + 1) {
			f := found(rules[random.IntN(len(rules))], finding.Note+finding.Severity(random.IntN(3)), fmt.Sprintf("%d.yaml", n))
			f.Target = []string{"", "olm-1.11", "ocp-4.20"}[random.IntN(3)]
			if kind := random.IntN(6); kind < 3 {
				f.Fix = &finding.Fix{Kind: []finding.FixKind{finding.Safe, finding.Unsafe, finding.Prune}[kind], Applied: random.IntN(4) == 0}
			}
			if random.IntN(3) == 0 {
				f.Subject = &finding.Subject{Kind: "ServiceAccount", Namespace: "ops", Name: fmt.Sprint(random.IntN(4))}
			}
			all = append(all, f)
		}
		r := lintResult(fmt.Sprintf("example.org/r%03d", i), all...)
		for range random.IntN(3) {
			on := random.IntN(2)
			r.Extensions = append(r.Extensions, finding.Extension{Target: []string{"olm-1.11", "unknown"}[on], Model: []string{"ignored", "unknown"}[on]})
		}
		r.Incomplete = random.IntN(20) == 0
		reports[fmt.Sprintf("r%03d.json", i)] = reportOf(t, r)
	}
	return reports
}

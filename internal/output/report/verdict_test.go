package report

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// A change is safe to approve only without any reserve; each of them is in the first sentence.
func TestVerdictOfFixes(t *testing.T) {
	t.Parallel()
	account := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "a", Name: "b"}
	open := func(rule string, severity finding.Severity, kind finding.FixKind) finding.Finding {
		f := finding.Finding{Rule: rule, Severity: severity, File: "a.yaml"}
		if kind != "" {
			f.Fix = &finding.Fix{Kind: kind}
		}
		return f
	}
	for name, c := range map[string]struct {
		change func(*finding.Result)
		want   string
	}{
		"nothing else":      {func(*finding.Result) {}, "Safe to approve: 1 finding is fixed on 1 cluster with olm-1.11; no identity gains or loses permissions"},
		"a warning is left": {func(r *finding.Result) { r.Findings = append(r.Findings, open("a/b", finding.Warning, "")) }, "Safe to approve: "},
		"left to prune": {func(r *finding.Result) {
			r.Findings = append(r.Findings, open("olm/installer-orphaned", finding.Error, finding.Prune))
		}, "Safe to approve: 1 finding is fixed on 1 cluster with olm-1.11; no identity gains or loses permissions; left to prune: 1 error"},
		"an error is left": {func(r *finding.Result) { r.Findings = append(r.Findings, open("a/b", finding.Error, "")) }, "To review: "},
		"another release": {func(r *finding.Result) {
			r.Findings = append(r.Findings, open(releaseConflict, finding.Warning, ""))
		}, "To review, because the repository shows another release"},
		"warnings are left out": {func(r *finding.Result) { r.Summary.Warnings, r.Summary.NotShown = 1, 1 }, "To review, because --min-severity"},
		"notes are left out":    {func(r *finding.Result) { r.Summary.Notes, r.Summary.NotShown = 1, 1 }, "Safe to approve: "},
		"not checked":           {func(r *finding.Result) { r.Summary.NotChecked = 1 }, "To review, because not all was checked"},
		"read elsewhere":        {func(r *finding.Result) { r.Permissions.ReadElsewhere = []string{"Makefile:2"} }, "To review, because something else reads"},
		"unsafe":                {func(r *finding.Result) { r.Findings[0].Fix.Kind = finding.Unsafe }, "To review: "},
		"a gain": {func(r *finding.Result) {
			r.Permissions.Identities = []permission.Identity{{Subject: account, Difference: permission.DifferenceIn(permission.Scope{Added: rule("get", "pods")})}}
		}, "1 identity gains permissions: "},
		"no longer limited": {func(r *finding.Result) {
			r.Permissions.Unlimited = []permission.Unlimited{{Name: "a", Account: account}}
		}, "To review: "},
		"another identity": {func(r *finding.Result) {
			r.Permissions.Extensions = []permission.Extension{{Name: "a", From: account, To: rbac.Subject{Kind: rbac.KindUser, Name: "u"}}}
		}, "To review: 1 finding is fixed on 1 cluster with olm-1.11; for 1 extension OLM acts as another identity"},
	} {
		r := &finding.Result{
			Fixing: true, Changes: []finding.Change{{File: "a.yaml"}}, Permissions: &permission.Report{Made: true}, Summary: finding.Summary{Files: 1, Fixed: 1},
			Findings: []finding.Finding{{Rule: "olm/x", Severity: finding.Warning, Target: "olm-1.11", Clusters: []string{"prod"}, Fix: &finding.Fix{Kind: finding.Safe, Applied: true}}},
		}
		c.change(r)
		if got := verdictOf(r); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/config/finding"
)

// One edit can fix the findings of several units, so it is listed once.
func TestFixedIsListedOnce(t *testing.T) {
	t.Parallel()
	fixed := finding.Finding{
		Rule: "olm/x", Severity: finding.Warning, File: "base/e.yaml", Range: finding.Range{Line: 7, Column: 3},
		Fix: &finding.Fix{Kind: finding.Safe, Applied: true, Description: "Remove it"},
	}
	other := fixed
	other.Range.Line = 9
	r := &finding.Result{Findings: []finding.Finding{fixed, fixed, other}, Summary: finding.Summary{Files: 1, Fixed: 3}}
	out := string(render(t, "text", r, Options{}))
	if want := "base/e.yaml:7:3: fixed: removed it; 1 more like it: base/e.yaml:9 [olm/x]\n"; !strings.HasPrefix(out, want) {
		t.Errorf("no %q:\n%s", want, out)
	}
	out = string(render(t, "text", r, Options{Verbose: true}))
	if n := strings.Count(out, "removed it"); n != 2 {
		t.Errorf("with --verbose listed %d times:\n%s", n, out)
	}
}

// Units are shown by name, and a place that is already shown is not repeated.
func TestOriginAndPlaces(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		origin finding.Origin
		want   string
	}{
		"application":                {finding.Origin{Unit: "Argo CD Application argocd/west"}, "= applied by the Argo CD Application argocd/west"},
		"kustomization":              {finding.Origin{Kustomization: "prod"}, "= applied by the kustomization prod"},
		"chart":                      {finding.Origin{Chart: "charts/op", Template: "e.yaml"}, "= as rendered by the chart charts/op"},
		"chart with values":          {finding.Origin{Chart: "charts/op", Unit: "chart charts/op with ci/x.yaml"}, "= as rendered by the chart charts/op with ci/x.yaml"},
		"chart of an application":    {finding.Origin{Chart: "charts/op", Unit: "Flux HelmRelease a/b"}, "= as the Flux HelmRelease a/b renders the chart charts/op"},
		"template in a helper":       {finding.Origin{Chart: "c", Template: "t.yaml"}, "= as rendered by the chart c\n  = from the template t.yaml"},
		"template that is the place": {finding.Origin{Chart: "c", Template: "e.yaml"}, "= as rendered by the chart c\n  = also for: x"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := finding.Finding{
				Severity: finding.Warning, Message: "m", File: "e.yaml", Range: finding.Range{Line: 1, Column: 1}, Origin: test.origin,
				Related: []finding.Related{{File: "e.yaml", Line: 1, Message: "also for: x"}},
			}
			out := string(render(t, "text", &finding.Result{Findings: []finding.Finding{f}}, Options{Quiet: true}))
			if !strings.Contains(out, test.want) {
				t.Errorf("%s", out)
			}
		})
	}
}

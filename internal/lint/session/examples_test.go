package session

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// TestExamplesThroughLint lints the example of every rule as a file of a repository. The tests of rules evaluate examples
// as well, on all documents; a run skips documents in which the prefilter expects no findings.
func TestExamplesThroughLint(t *testing.T) {
	t.Parallel()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range registry.Rules() {
		for i, example := range rule.Examples {
			switch {
			case rule.Scope == metadata.ScopeProgram, example.Bundle != "":
				continue // a run has no bundles but those of the configuration
			case rule.Name == "gitops/insufficient-permissions":
				continue // an example is one file, without the folder that an application applies; golden cases have both
			}
			t.Run(fmt.Sprintf("%s/%d", rule.Name, i+1), func(t *testing.T) {
				t.Parallel()
				var changed map[string]bool
				var base fs.FS
				if example.Base != "" {
					changed = map[string]bool{"example.yaml": true}
					base = fstest.MapFS{"example.yaml": {Data: []byte(example.Base)}}
				}
				out, err := Run(t.Context(), Options{
					Revision: judging.Revision{Changed: changed, Base: base, Since: "main"}, PolicyCache: policies,
					Tree: loadertest.Repository{Tree: tree{"example.yaml": example.Text}}, Config: settings.Default(), Target: example.Target,
					Now: time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC), Enable: []string{rule.Name},
				})
				if err != nil || out.Incomplete {
					t.Fatal(err, out)
				}
				found := slices.ContainsFunc(out.Findings, func(f finding.Finding) bool { return f.Rule == rule.Name })
				if found != example.Bad {
					t.Errorf("bad is %t, and found: %v", example.Bad, out.Findings)
				}
			})
		}
	}
}

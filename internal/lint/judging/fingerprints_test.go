package judging

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/kube/objects"
)

// appliedBy returns findings about one base that several overlays apply, each under its own name.
func appliedBy(overlays ...string) []Finding {
	var found []Finding
	for _, name := range overlays {
		object := finding.Resource{Kind: "ClusterExtension", Name: "certs"}
		source := finding.Source{Resource: object, File: "base/e.yaml", Line: 1}
		object.Name = name + "-certs"
		found = append(found, Finding{
			Finding: finding.Finding{Rule: "olm/x", File: "base/e.yaml", Path: "spec", Resource: object, Source: source, Message: name},
			Unit:    &objects.Unit{Kind: objects.KustomizationUnit, Name: name},
		})
	}
	distinguishVariants(found)
	return found
}

// TestBaselineWithAFurtherOverlay checks that a baseline hides the findings that it has, and none of an overlay that was added later.
func TestBaselineWithAFurtherOverlay(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ before, after, reported []string }{
		"the same":                  {[]string{"east", "west"}, []string{"west", "east"}, nil},
		"one of two that were":      {[]string{"east", "west"}, []string{"west"}, nil},
		"another than the two":      {[]string{"east", "west"}, []string{"north"}, []string{"north"}},
		"one, as it was":            {[]string{"east"}, []string{"east"}, nil},
		"a third":                   {[]string{"east", "west"}, []string{"east", "north", "west"}, []string{"north"}},
		"a second: which was known": {[]string{"east"}, []string{"north", "east"}, []string{"north", "east"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "known.json")
			if err := silence.WriteBaseline(file, findingsOf(appliedBy(test.before...))); err != nil {
				t.Fatal(err)
			}
			baseline, err := silence.ReadBaseline(file, func(limit int64) ([]byte, error) { return regular.ReadFile(file, limit) })
			if err != nil {
				t.Fatal(err)
			}
			kept, _ := baseline.Apply(findingsOf(appliedBy(test.after...)))
			var got []string
			for _, f := range kept {
				got = append(got, f.Message)
			}
			if diff := cmp.Diff(test.reported, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFingerprintOfALoneFinding checks that a finding without variants keeps its fingerprint, so that old baselines hide it.
func TestFingerprintOfALoneFinding(t *testing.T) {
	t.Parallel()
	lone := appliedBy("east")[0].Finding
	if lone.AppliedBy != "" {
		t.Errorf("a finding without variants is distinguished as %q", lone.AppliedBy)
	}
	both := appliedBy("east", "west")
	if a, b := both[0].Fingerprint(), both[1].Fingerprint(); a == b || a == lone.Fingerprint() || b == lone.Fingerprint() {
		t.Error("two variants are not distinguished")
	}
}

func findingsOf(all []Finding) []finding.Finding {
	var findings []finding.Finding
	for _, f := range all {
		findings = append(findings, f.Finding)
	}
	return findings
}

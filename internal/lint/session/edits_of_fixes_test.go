package session

import (
	"testing"

	"github.com/salint/salint/internal/lint/fixing"
)

// TestFindingsOfAPlanShareItsEdits checks that the edits of a plan are worked out once, and not again for each finding that it resolves.
func TestFindingsOfAPlanShareItsEdits(t *testing.T) {
	t.Parallel()
	patch := "patches:\n  - target: {kind: ClusterExtension}\n    patch: |\n      - op: replace\n        path: /spec/serviceAccount/name\n        value: other\n"
	out := lintReusing(t, tree{
		"base/extension.yaml":      extensionWithAccount,
		"base/kustomization.yaml":  "resources: [extension.yaml]\n",
		"a/kustomization.yaml":     "resources: [../base]\n" + patch,
		"b/kustomization.yaml":     "resources: [../base]\n" + patch,
		"plain/extension.yaml":     extensionWithAccount,
		"plain/kustomization.yaml": "resources: [extension.yaml]\n",
	}, fixing.Fixes{Apply: true, Prove: true}, nil)
	shared := map[any]int{}
	for _, f := range out.Findings {
		if f.Fix != nil && len(f.Fix.Edits) > 0 {
			shared[&f.Fix.Edits[0]]++
		}
	}
	if len(shared) == 0 {
		t.Fatalf("no finding has edits: %s", textOfOutcome(t, out))
	}
	for _, n := range shared {
		if n >= 2 {
			return
		}
	}
	t.Errorf("no two of the findings share edits: %s", textOfOutcome(t, out))
}

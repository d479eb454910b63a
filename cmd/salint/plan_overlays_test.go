package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
)

// TestStepsOverOverlays follows the steps for a base and two overlays, one with a namespace and both with patches, to a
// release that ignores the field and back. Without the step that removes the accounts, every file is finally restored; with
// it, nothing of another team changes.
func TestStepsOverOverlays(t *testing.T) {
	t.Parallel()
	tree := repositoryOf(t, "plan/base-with-two-overlays")
	const low, high = "olm-1.10", "olm-1.11"
	for name, c := range map[string]struct {
		low, high string
		prune     bool
	}{
		"before pruning":                     {low, high, false},
		"before pruning, where none is left": {"ocp-4.20-proposed", "ocp-4.23-proposed", false},
		"after pruning":                      {low, high, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			golden.WriteFolder(t, work, tree)
			makeRepository(t, work)
			up := planned(t, work, "--from", c.low, "--to", c.high)
			if c.prune {
				run(t, work, up)
				checkWorks(t, work, c.low, c.high, nil)
			} else {
				run(t, work, up.without("prune"))
			}
			above := golden.ReadFolder(t, work)
			if cmp.Equal(tree["base/extension.yaml"], above["base/extension.yaml"]) {
				t.Error("the field is still there")
			}
			if _, there := above["base/installer.yaml"]; there == c.prune {
				t.Errorf("base/installer.yaml exists: %t", there)
			}
			walk(t, work, c.high, c.low)
			checkAccounts(t, work, c.high, c.low, nil)
			below := golden.ReadFolder(t, work)
			if diff := cmp.Diff(tree["team/web.yaml"], below["team/web.yaml"]); diff != "" {
				t.Errorf("a step changed files of another team (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(tree, below); !c.prune && diff != "" {
				t.Errorf("there and back (-before +after):\n%s", diff)
			}
		})
	}
}

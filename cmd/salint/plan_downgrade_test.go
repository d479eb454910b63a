package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
)

// TestWayBackBeforePruning follows the steps to a release that ignores the field and back, without the step that removes
// the accounts. Then every file is restored.
func TestWayBackBeforePruning(t *testing.T) {
	t.Parallel()
	const low, high = "olm-1.10", "olm-1.11"
	work := t.TempDir()
	tree := repositoryOf(t, "fix/way-back-before-pruning")
	golden.WriteFolder(t, work, tree)
	makeRepository(t, work)
	up := planned(t, work, "--from", low, "--to", high)
	run(t, work, up.without("prune"))
	if cmp.Equal(tree, golden.ReadFolder(t, work)) {
		t.Error("the field is still there")
	}
	back := planned(t, work, "--from", high, "--to", low)
	for _, command := range back.commands() {
		if strings.Contains(command, "--grant") {
			t.Errorf("the accounts determine what to grant, but the plan contains %s", command)
		}
	}
	run(t, work, back)
	if diff := cmp.Diff(tree, golden.ReadFolder(t, work)); diff != "" {
		t.Errorf("there and back (-before +after):\n%s", diff)
	}
}

// without removes the steps of a kind.
func (p plannedTransition) without(do string) plannedTransition {
	for i, transition := range p.Transitions {
		p.Transitions[i].Steps = slices.DeleteFunc(transition.Steps, func(s plannedStep) bool { return s.Do == do })
	}
	return p
}

func (p plannedTransition) commands() (all []string) {
	for _, transition := range p.Transitions {
		for _, step := range transition.Steps {
			all = append(all, step.Commands...)
		}
	}
	return all
}

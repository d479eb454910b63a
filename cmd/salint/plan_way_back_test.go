package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/test/golden"
)

// TestWayBackBeforePruning walks to a release that ignores the field and back, without the step that removes the accounts. Then
// every file is what it was.
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
			t.Errorf("the accounts tell what to grant, and the plan asks for %s", command)
		}
	}
	run(t, work, back)
	if diff := cmp.Diff(tree, golden.ReadFolder(t, work)); diff != "" {
		t.Errorf("there and back (-before +after):\n%s", diff)
	}
}

// without leaves out the steps that do something.
func (p plannedWay) without(do string) plannedWay {
	for i, way := range p.Transitions {
		p.Transitions[i].Steps = slices.DeleteFunc(way.Steps, func(s plannedStep) bool { return s.Do == do })
	}
	return p
}

func (p plannedWay) commands() (all []string) {
	for _, way := range p.Transitions {
		for _, step := range way.Steps {
			all = append(all, step.Commands...)
		}
	}
	return all
}

package escalation

import (
	"fmt"
	"testing"

	"github.com/salint/salint/internal/kube/rbac"
)

// TestLongChains checks that chains through many identities keep their length, and list only their beginning.
func TestLongChains(t *testing.T) {
	t.Parallel()
	const length = 2 * maxLinks
	w := &World{goal: &node{}}
	w.nodes = append(w.nodes, w.goal)
	next := w.goal
	for i := range length {
		n := &node{subject: rbac.Subject{Kind: rbac.KindUser, Name: fmt.Sprintf("user-%02d", i)}, listed: true}
		next.from = append(next.from, &edge{from: n, to: next, step: &Step{Text: "step", As: true}})
		w.nodes, next = append(w.nodes, n), n
	}
	chains := w.Chains()
	if len(chains) != length {
		t.Fatalf("%d chains, want %d", len(chains), length)
	}
	last := chains[length-1]
	if last.Steps != length || len(last.Links) != maxLinks || last.rest() != fmt.Sprintf("and %d more steps", length-maxLinks) {
		t.Errorf("%d steps, %d listed, %q", last.Steps, len(last.Links), last.rest())
	}
	if first := chains[0]; first.Steps != 1 || len(first.Links) != 1 || first.rest() != "" {
		t.Errorf("%d steps, %d listed, %q", first.Steps, len(first.Links), first.rest())
	}
}

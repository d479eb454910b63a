package escalation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// search finds the shortest chain from every node to the goal, backward from it. An edge without a step does not count, so the
// nodes at the other end of these come first.
func (w *World) search() {
	for _, n := range w.nodes {
		n.next, n.distance = nil, -1
	}
	w.goal.distance = 0
	layer := []*node{w.goal}
	for distance := 0; len(layer) > 0; distance++ {
		var following []*node
		for i := 0; i < len(layer); i++ {
			at := layer[i]
			if at.distance != distance {
				continue
			}
			for _, e := range at.from {
				length := distance
				if e.step != nil {
					length++
				}
				if e.from.distance >= 0 && e.from.distance <= length {
					continue
				}
				e.from.distance, e.from.next = length, e
				if e.step == nil {
					layer = append(layer, e.from)
				} else {
					following = append(following, e.from)
				}
			}
		}
		layer = following
	}
}

// Chains returns the shortest chain of each listed identity that can reach the goal, sorted by their length and then by identity.
func (w *World) Chains() []Chain {
	w.search()
	var chains []Chain
	for _, n := range w.nodes {
		if n.listed && n != w.goal && n.distance >= 0 {
			chains = append(chains, Chain{n.subject, w.links(n), n.distance})
		}
	}
	slices.SortFunc(chains, func(a, b Chain) int {
		return cmp.Or(cmp.Compare(a.Steps, b.Steps), compareSubjects(a.Subject, b.Subject))
	})
	return chains
}

func compareSubjects(a, b rbac.Subject) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// links follows the beginning of the chain of a node. The first identity after a step is the one that it leads to.
func (w *World) links(n *node) []Link {
	var list []Link
	for e := n.next; e != nil; e = e.to.next {
		if e.step != nil {
			if len(list) == maxLinks {
				break
			}
			list = append(list, Link{Step: *e.step})
		}
		if len(list) == 0 || e.to.isPlace() {
			continue
		}
		if last := &list[len(list)-1]; last.As && last.To == (rbac.Subject{}) {
			last.To = e.to.subject
			if last.InPod {
				last.Runner = w.inventory.runner(last.To)
			}
		}
	}
	return list
}

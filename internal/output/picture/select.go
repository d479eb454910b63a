package picture

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Selection says what of a graph to show.
type Selection struct {
	// Extensions and Identities are names to start from; without any, everything is shown. An identity is named as for
	// can-i: by its user name, or, for a group, by the name of the group.
	Extensions, Identities []string
	// Limit is the number of edges; 0 for no limit.
	Limit int
}

// Select shows a part of a graph. The error says which name is not there, and which one may be meant.
func (g *Graph) Select(s Selection) (*Graph, error) {
	starts := map[string]bool{}
	for _, name := range s.Extensions {
		if err := g.start(starts, name, "extension", extensionName); err != nil {
			return nil, err
		}
	}
	for _, name := range s.Identities {
		if err := g.start(starts, name, "identity", identityName); err != nil {
			return nil, err
		}
	}
	shown := g
	if len(starts) > 0 {
		shown = g.keep(g.connected(starts))
	}
	return shown.limited(s.Limit), nil
}

func extensionName(n Node) string {
	if n.Kind != Extension {
		return ""
	}
	return n.Name
}

// identityName is the name by which an identity is asked about.
func identityName(n Node) string {
	switch {
	case n.Kind != Identity:
		return ""
	case n.Object == rbac.KindServiceAccount:
		return objects.Account{Namespace: n.Namespace, Name: n.Name}.User()
	}
	return n.Name
}

func (g *Graph) start(starts map[string]bool, name, what string, nameOf func(Node) string) error {
	var known []string
	found := false
	for _, n := range g.Nodes {
		switch nameOf(n) {
		case "":
		case name:
			starts[n.ID], found = true, true
		default:
			known = append(known, nameOf(n))
		}
	}
	if found {
		return nil
	}
	hint := ""
	if meant := nearest.Name(name, known); meant != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", meant)
	}
	return fmt.Errorf("there is no %s %q among what is read%s", what, name, hint)
}

// connected are the nodes that the starts lead to, and the extensions that act as an identity among them.
func (g *Graph) connected(starts map[string]bool) map[string]bool {
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
		if (e.Kind == ActsAs || e.Kind == NoEffect) && starts[e.To] {
			next[e.To] = append(next[e.To], e.From)
		}
	}
	reached := map[string]bool{}
	var queue []string
	for _, n := range g.Nodes {
		if starts[n.ID] {
			reached[n.ID] = true
			queue = append(queue, n.ID)
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, to := range next[id] {
			if !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	return reached
}

// keep leaves the nodes of a set and the edges between them.
func (g *Graph) keep(ids map[string]bool) *Graph {
	return &Graph{
		Units: g.Units, Left: g.Left,
		Nodes: slices.DeleteFunc(slices.Clone(g.Nodes), func(n Node) bool { return !ids[n.ID] }),
		Edges: slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return !ids[e.From] || !ids[e.To] }),
	}
}

// limited leaves out bindings, the least interesting first, until there are no more edges than the limit.
func (g *Graph) limited(limit int) *Graph {
	if limit <= 0 || len(g.Edges) <= limit {
		return g
	}
	in, out, givers, used := map[string][]string{}, map[string][]string{}, map[string][]string{}, 0
	keep := map[string]bool{}
	for _, e := range g.Edges {
		switch e.Kind {
		case BoundBy:
			in[e.To] = append(in[e.To], e.From)
		case Grants:
			out[e.From] = append(out[e.From], e.To)
		case Aggregates:
			givers[e.From] = append(givers[e.From], e.To)
		default: // what extensions act as is always shown, as far as it fits
			if used < limit {
				used++
				keep[e.From], keep[e.To] = true, true
			}
		}
	}
	left := 0
	for _, n := range g.ranked(in, keep) {
		cost := len(in[n.ID]) + len(out[n.ID])
		var added []string
		for _, role := range out[n.ID] {
			if !keep[role] {
				added = append(added, givers[role]...)
			}
		}
		cost += len(added)
		if used+cost > limit {
			left++
			continue
		}
		used += cost
		for _, id := range slices.Concat([]string{n.ID}, in[n.ID], out[n.ID], added) {
			keep[id] = true
		}
	}
	part := g.keep(keep)
	part.Left = g.Left + left
	return part
}

// ranked orders bindings: those of the extensions' identities come first, then those of a cluster-admin.
func (g *Graph) ranked(in map[string][]string, identities map[string]bool) []Node {
	bindings := slices.DeleteFunc(slices.Clone(g.Nodes), func(n Node) bool { return n.Kind != Binding })
	rank := func(n Node) int {
		switch {
		case slices.ContainsFunc(in[n.ID], func(id string) bool { return identities[id] }):
			return 0
		case n.Admin:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(bindings, func(a, b Node) int { return rank(a) - rank(b) })
	return bindings
}

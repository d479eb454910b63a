package picture

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Selection is which part of a graph to show.
type Selection struct {
	// Extensions and Identities are names to start from; without any, everything is shown. An identity is named as in can-i:
	// by its user name, or by the name of the group.
	Extensions, Identities []string
	// Limit is the maximum number of edges; 0 for no limit.
	Limit int
}

// Select returns a part of a graph. The error names an unknown name and the most similar known one.
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

// identityName returns the name that selects an identity.
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
	return fmt.Errorf("no %s %q found%s", what, name, hint)
}

// connected returns the nodes that the starts lead to, and the extensions that use an identity among them.
func (g *Graph) connected(starts map[string]bool) map[string]bool {
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
		if (e.Kind == ActsAs || e.Kind == NoEffect || e.Kind == RunsAs) && starts[e.To] {
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

// keep returns the nodes of a set and the edges between them.
func (g *Graph) keep(ids map[string]bool) *Graph {
	return &Graph{
		Units: g.Units, Left: g.Left, leftPods: g.leftPods,
		Nodes: slices.DeleteFunc(slices.Clone(g.Nodes), func(n Node) bool { return !ids[n.ID] }),
		Edges: slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return !ids[e.From] || !ids[e.To] }),
	}
}

// limited leaves out bindings, the least important first, until there are no more edges than the limit.
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
		case RunsAs: // drawn last
		default: // identities of extensions are always shown, up to the limit
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
	pods := g.limitPods(limit-used, keep)
	part := g.keep(keep)
	part.Left, part.leftPods = g.Left+left+pods, g.leftPods || pods > 0
	return part
}

// limitPods keeps as many objects with pods as the remaining edges allow, those of drawn accounts first, and returns how many are left out.
func (g *Graph) limitPods(remaining int, keep map[string]bool) (left int) {
	bound := maps.Clone(keep)
	for _, drawn := range []bool{true, false} {
		for _, e := range g.Edges {
			switch {
			case e.Kind != RunsAs || bound[e.To] != drawn:
			case remaining <= 0:
				left++
			default:
				remaining--
				keep[e.From], keep[e.To] = true, true
			}
		}
	}
	return left
}

// ranked orders bindings: those of the extensions' identities come first, then those that make a cluster-admin.
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

package picture

import "slices"

// Part is the part of a graph that is shown, and the number of nodes of each kind that are not.
type Part struct {
	Shown *Graph
	Left  map[NodeKind]int
}

// Focus limits the number of nodes. It keeps whole chains from an extension or identity to its roles; chains that a run
// changes come first, then those of administrators. A chain that exceeds the limit by itself is cut.
func (g *Graph) Focus(limit int) Part {
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	nodes := make(map[string]Node, len(g.Nodes))
	for _, n := range g.Nodes {
		nodes[n.ID] = n
	}
	var chains [][]string
	for _, n := range g.Nodes {
		if n.Kind == Extension || n.Kind == Identity {
			chains = append(chains, chain(n.ID, next, limit))
		}
	}
	slices.SortStableFunc(chains, func(a, b []string) int { return rankOf(a, nodes) - rankOf(b, nodes) })
	keep := map[string]bool{}
	for _, ids := range chains {
		fresh := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return keep[id] })
		if len(keep) > 0 && len(keep)+len(fresh) > limit {
			continue
		}
		for _, id := range fresh[:min(len(fresh), limit)] {
			keep[id] = true
		}
	}
	part := Part{g.keep(keep), map[NodeKind]int{}}
	for _, n := range g.Nodes {
		if !keep[n.ID] {
			part.Left[n.Kind]++
		}
	}
	return part
}

// chain returns the nodes that can be reached from a node, including it, and at most one more than the limit, so that the
// cost of a chain is limited.
func chain(start string, next map[string][]string, limit int) []string {
	reached, queue := map[string]bool{start: true}, []string{start}
	for i := 0; i < len(queue) && len(queue) <= limit; i++ {
		for _, to := range next[queue[i]] {
			if !reached[to] && len(queue) <= limit {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	return queue
}

// rankOf orders chains: changed chains come first, extensions before others, then those of administrators.
func rankOf(ids []string, nodes map[string]Node) int {
	changed := slices.ContainsFunc(ids, func(id string) bool { return nodes[id].Change != "" })
	admin := slices.ContainsFunc(ids, func(id string) bool { return nodes[id].Admin })
	extension := nodes[ids[0]].Kind == Extension
	switch {
	case extension && changed:
		return 0
	case changed:
		return 1
	case extension:
		return 2
	case admin:
		return 3
	}
	return 4
}

// ByUnit splits a graph by its units. Units that a run changes come first.
func (g *Graph) ByUnit() []*Graph {
	parts, places := make([]*Graph, len(g.Units)), make(map[string]int, len(g.Nodes))
	for i, u := range g.Units {
		parts[i] = &Graph{Units: []Unit{u}}
	}
	for _, n := range g.Nodes {
		places[n.ID] = n.Unit
		part := parts[n.Unit]
		n.Unit = 0
		part.Nodes = append(part.Nodes, n)
	}
	for _, e := range g.Edges {
		part := parts[places[e.From]]
		part.Edges = append(part.Edges, e)
	}
	parts = slices.DeleteFunc(parts, func(part *Graph) bool { return len(part.Nodes) == 0 })
	slices.SortStableFunc(parts, func(a, b *Graph) int { return b.changedRank() - a.changedRank() })
	return parts
}

func (g *Graph) changedRank() int {
	if slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Change != "" }) {
		return 1
	}
	return 0
}

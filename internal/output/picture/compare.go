package picture

import (
	"fmt"
	"strings"
)

// Change is how a part changed in a graph that compares two.
type Change string

// The changes. A part of both graphs has none.
const (
	Added   Change = "new"
	Removed Change = "removed"
)

// Compare merges the graphs before and after a change: the result holds all parts of both, and parts of only one are
// marked.
func Compare(before, after *Graph) *Graph {
	c := comparison{merged: &Graph{Left: max(before.Left, after.Left)}, units: map[Unit]int{}, ids: map[string]string{}, edges: map[Edge]bool{}}
	known, edges := keysOf(before), map[Edge]bool{}
	keys := make(map[string]bool, len(known))
	for _, key := range known {
		keys[key] = true
	}
	for _, e := range before.Edges {
		edges[Edge{From: known[e.From], To: known[e.To], Kind: e.Kind}] = true
	}
	now := keysOf(after)
	c.add(after, now, func(key string) Change {
		if keys[key] {
			return ""
		}
		return Added
	}, func(e Edge) Change {
		if edges[e] {
			return ""
		}
		return Added
	})
	c.add(before, known, func(string) Change { return Removed }, func(Edge) Change { return Removed })
	return c.merged
}

// comparison merges graphs. A part that was added first stays.
type comparison struct {
	merged *Graph
	units  map[Unit]int
	ids    map[string]string // of nodes, by their keys
	edges  map[Edge]bool     // from key to key
}

func (c *comparison) add(g *Graph, keys map[string]string, changeOf func(key string) Change, edgeChange func(Edge) Change) {
	for _, n := range g.Nodes {
		key := keys[n.ID]
		if c.ids[key] != "" {
			continue
		}
		n.Change, n.Unit, n.ID = changeOf(key), c.unit(g.Units[n.Unit]), fmt.Sprintf("n%d", len(c.merged.Nodes))
		if n.Position.Line == 0 && (n.Kind == Role || n.Change == Removed) {
			n.Change = "" // it is not in the repository: only its bindings change
		}
		c.ids[key] = n.ID
		c.merged.Nodes = append(c.merged.Nodes, n)
	}
	for _, e := range g.Edges {
		byKey := Edge{From: keys[e.From], To: keys[e.To], Kind: e.Kind}
		if c.edges[byKey] {
			continue
		}
		c.edges[byKey] = true
		c.merged.Edges = append(c.merged.Edges, Edge{From: c.ids[byKey.From], To: c.ids[byKey.To], Kind: e.Kind, Change: edgeChange(byKey), Refused: e.Refused, Possible: e.Possible})
	}
}

func (c *comparison) unit(u Unit) int {
	place, known := c.units[u]
	if !known {
		place = len(c.merged.Units)
		c.units[u] = place
		c.merged.Units = append(c.merged.Units, u)
	}
	return place
}

// keysOf returns the key by which a node is recognized in another graph: its unit, kind and name and, except for
// identities, its file. Lines and IDs can change.
func keysOf(g *Graph) map[string]string {
	keys, seen := make(map[string]string, len(g.Nodes)), map[string]int{}
	for _, n := range g.Nodes {
		u := g.Units[n.Unit]
		parts := []string{string(u.Kind), u.Root, u.Name, string(n.Kind), n.Object, n.Namespace, n.Name}
		switch {
		case n.Kind != Identity:
			parts = append(parts, n.Position.File)
		case strings.HasPrefix(n.Note, NearestTo):
			parts = append(parts, n.Note)
		}
		key := strings.Join(parts, "\x00")
		seen[key]++
		keys[n.ID] = fmt.Sprintf("%s\x00%d", key, seen[key])
	}
	return keys
}

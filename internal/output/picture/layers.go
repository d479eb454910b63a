package picture

import (
	"cmp"
	"math"
	"slices"
)

// The layout is Sugiyama's: nodes are in columns by kind, are ordered in each so that few arrows cross, and are moved up
// and down to their neighbors. It is short because the columns are known.

// column is the position of a kind of nodes, from left to right.
type column int

const (
	extensionColumn column = iota
	identityColumn
	groupColumn // groups of which identities in the graph are members
	bindingColumn
	roleColumn
	partColumn // roles that others aggregate
	columns
)

// spot is a node in a column, or a bend of an arrow that passes through it.
type spot struct {
	node          *Node // nil for a bend
	column        column
	height        float64
	top           float64
	order         float64
	before, after []*spot
}

func (s *spot) middle() float64 { return s.top + s.height/2 }

// route is an arrow and the spots that it passes through, including both ends.
type route struct {
	edge  Edge
	spots []*spot
}

// layers are the columns of a graph.
type layers struct {
	spots  [columns][]*spot
	routes []route
}

const (
	gapBetween = 18 // between two nodes of a column
	bendHeight = 4
	sweeps     = 8
)

// layOut places every node in its column. The caller returns the heights.
func layOut(g *Graph, height func(Node) float64) *layers {
	l := &layers{}
	kinds := columnsOf(g)
	byID := make(map[string]*spot, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		byID[n.ID] = l.add(&spot{node: n, column: kinds[n.ID], height: height(*n)})
	}
	for _, e := range g.Edges {
		l.connect(e, byID[e.From], byID[e.To])
	}
	l.arrange()
	l.place()
	return l
}

// columnsOf returns the column of each node. Groups with members have a separate column, and so have roles that only other
// roles lead to.
func columnsOf(g *Graph) map[string]column {
	kinds := make(map[string]column, len(g.Nodes))
	for _, n := range g.Nodes {
		kinds[n.ID] = map[NodeKind]column{Extension: extensionColumn, Pod: extensionColumn, Identity: identityColumn, Binding: bindingColumn, Role: roleColumn}[n.Kind]
	}
	granted := map[string]bool{}
	for _, e := range g.Edges {
		switch e.Kind {
		case Member:
			kinds[e.To] = groupColumn
		case Grants:
			granted[e.To] = true
		}
	}
	for _, e := range g.Edges {
		if e.Kind == Aggregates && !granted[e.To] {
			kinds[e.To] = partColumn
		}
	}
	return kinds
}

func (l *layers) add(s *spot) *spot {
	l.spots[s.column] = append(l.spots[s.column], s)
	return s
}

// connect leads an arrow through every column between its ends that has nodes. An arrow to the same column or back has no
// bends and does not affect the order.
func (l *layers) connect(e Edge, from, to *spot) {
	r := route{e, []*spot{from}}
	if from.column < to.column {
		last := from
		for c := from.column + 1; c < to.column; c++ {
			if slices.ContainsFunc(l.spots[c], func(s *spot) bool { return s.node != nil }) {
				last = join(last, l.add(&spot{column: c, height: bendHeight}))
				r.spots = append(r.spots, last)
			}
		}
		join(last, to)
	}
	r.spots = append(r.spots, to)
	l.routes = append(l.routes, r)
}

func join(from, to *spot) *spot {
	from.after = append(from.after, to)
	to.before = append(to.before, from)
	return to
}

// arrange orders the columns: first in the order of a walk along the arrows, then each column by the positions of its
// neighbors.
func (l *layers) arrange() {
	met, seen := 0.0, map[*spot]bool{}
	var walk func(s *spot)
	walk = func(s *spot) {
		if seen[s] {
			return
		}
		seen[s] = true
		s.order = met
		met++
		for _, next := range s.after {
			walk(next)
		}
	}
	for _, spots := range l.spots {
		for _, s := range spots {
			walk(s)
		}
	}
	for i := range l.spots {
		l.sort(i)
	}
	for range sweeps {
		for i := 1; i < len(l.spots); i++ {
			l.sortBy(i, func(s *spot) []*spot { return s.before })
		}
		for i := len(l.spots) - 2; i >= 0; i-- {
			l.sortBy(i, func(s *spot) []*spot { return s.after })
		}
	}
}

func (l *layers) sort(i int) {
	slices.SortStableFunc(l.spots[i], func(a, b *spot) int { return cmp.Compare(a.order, b.order) })
	for place, s := range l.spots[i] {
		s.order = float64(place)
	}
}

func (l *layers) sortBy(i int, neighbors func(*spot) []*spot) {
	for _, s := range l.spots[i] {
		if all := neighbors(s); len(all) > 0 {
			s.order = mean(all, func(n *spot) float64 { return n.order })
		}
	}
	l.sort(i)
}

func mean(spots []*spot, of func(*spot) float64) float64 {
	total := 0.0
	for _, s := range spots {
		total += of(s)
	}
	return total / float64(len(spots))
}

// place stacks connected groups of nodes. Placed side by side, unconnected groups would push each other apart.
func (l *layers) place() {
	bottom := 0.0
	for _, group := range l.groups() {
		group.level()
		bottom = group.stack(bottom)
	}
}

// groups returns the parts of the graph that no arrow connects, ordered by the position of their first node.
func (l *layers) groups() []*layers {
	adjacent := map[*spot][]*spot{}
	for _, r := range l.routes {
		for i, s := range r.spots[1:] {
			adjacent[s], adjacent[r.spots[i]] = append(adjacent[s], r.spots[i]), append(adjacent[r.spots[i]], s)
		}
	}
	group := map[*spot]*layers{}
	var groups []*layers
	for _, spots := range l.spots {
		for _, s := range spots {
			if group[s] == nil {
				groups = append(groups, &layers{})
				spread(s, adjacent, group, groups[len(groups)-1])
			}
		}
	}
	for i, spots := range l.spots {
		for _, s := range spots {
			group[s].spots[i] = append(group[s].spots[i], s)
		}
	}
	return groups
}

// spread assigns all spots that are connected to a spot to its group.
func spread(start *spot, adjacent map[*spot][]*spot, group map[*spot]*layers, of *layers) {
	group[start] = of
	for queue := []*spot{start}; len(queue) > 0; queue = queue[1:] {
		for _, next := range adjacent[queue[0]] {
			if group[next] == nil {
				group[next] = of
				queue = append(queue, next)
			}
		}
	}
}

// stack moves a group to the end of the group above it, and returns its own end.
func (l *layers) stack(top float64) (bottom float64) {
	highest := math.Inf(1)
	for _, spots := range l.spots {
		if len(spots) > 0 {
			highest = min(highest, spots[0].top)
		}
	}
	for _, spots := range l.spots {
		for _, s := range spots {
			s.top += top - highest
			bottom = max(bottom, s.top+s.height+gapBetween)
		}
	}
	return bottom
}

// level moves the nodes up and down to their neighbors, alternately from the left and from the right.
func (l *layers) level() {
	for _, spots := range l.spots {
		top := 0.0
		for _, s := range spots {
			s.top = top
			top += s.height + gapBetween
		}
	}
	for range sweeps {
		for i := len(l.spots) - 1; i >= 0; i-- {
			align(l.spots[i], func(s *spot) []*spot { return s.after })
		}
		for i := range l.spots {
			align(l.spots[i], func(s *spot) []*spot { return s.before })
		}
	}
}

// align moves the nodes of a column as near to their neighbors as the order and the gaps allow. Nodes that would overlap
// are merged into blocks, each of which is placed at the mean of its nodes' wishes (pool adjacent violators).
func align(spots []*spot, neighbors func(*spot) []*spot) {
	type block struct {
		wish, weight float64
		spots        int
	}
	var blocks []block
	offsets := make([]float64, len(spots))
	offset := 0.0
	for i, s := range spots {
		offsets[i] = offset
		offset += s.height + gapBetween
		wish := s.top
		if all := neighbors(s); len(all) > 0 {
			wish = mean(all, (*spot).middle) - s.height/2
		}
		blocks = append(blocks, block{wish - offsets[i], 1, 1})
		for n := len(blocks); n > 1 && blocks[n-2].wish > blocks[n-1].wish; n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			weight := a.weight + b.weight
			blocks = append(blocks[:n-2], block{(a.wish*a.weight + b.wish*b.weight) / weight, weight, a.spots + b.spots})
		}
	}
	i := 0
	for _, b := range blocks {
		for range b.spots {
			spots[i].top = b.wish + offsets[i]
			i++
		}
	}
}

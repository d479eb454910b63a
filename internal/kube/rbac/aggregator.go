package rbac

import (
	"cmp"
	"path"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/kube/objects"
)

// aggregated returns the rules that the controller finally sets for a role: the rules of all roles that its selectors
// select, and of those that these are aggregated from. If rules are written in roles that aggregate one another in a cycle,
// the result depends on the order of events: then the rules are unknown.
func (x *index) aggregated(role clusterRole, near *objects.Object) roleRules {
	folder := ""
	if near != nil && x.unit.Kind == objects.PlainUnit && x.catalog().namesakes {
		folder = path.Dir(near.File)
	}
	g := x.aggregators.get(folder, func() *aggregator { return newAggregator(x, near) })
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rulesOf(role)
}

// aggregator computes aggregated roles, each once, as seen from one folder. Roles that aggregate one another in a cycle
// have the same rules, so they are solved together: as the strongly connected components of a graph whose edges lead from a
// role to its selectors and from a selector to the roles that it selects (Tarjan). A selector that many roles have is one
// node, so that they share its result.
type aggregator struct {
	index *index
	near  *objects.Object

	mu        sync.Mutex
	roles     map[roleKey]*node
	selectors map[string]*node
	selected  []*node // by index in the catalog
	stack     []*node // the open nodes
	opened    int

	partSets  map[uint64][]*partSet
	ruleIDs   map[string]int
	ruleSeen  []int // by the ID of a rule: the round that last used it
	partCount int
	round     int
	kept      int
}

// roleKey identifies a role.
type roleKey struct {
	name   string
	object *objects.Object
}

// node is a role, or a selector, in which case role is nil.
type node struct {
	role *clusterRole
	next []*node
	own  []*part // the rules written in a role
	// aggregated is true if the written rules count only if the selectors yield none.
	aggregated bool

	opened, low int
	result      *partSet // nil until it is known
	// undetermined is true if the role is in a cycle with written rules.
	undetermined bool
}

func newAggregator(x *index, near *objects.Object) *aggregator {
	return &aggregator{
		index: x, near: near, roles: map[roleKey]*node{}, selectors: map[string]*node{},
		selected: make([]*node, len(x.catalog().all)), partSets: map[uint64][]*partSet{}, ruleIDs: map[string]int{},
	}
}

func (g *aggregator) rulesOf(role clusterRole) roleRules {
	n := g.role(&role)
	if n.result == nil {
		g.solve(n)
	}
	result := g.rules(n.result)
	if n.undetermined {
		result.unknown = []RoleRef{role.ref}
	}
	return result
}

// role returns the node of a role.
func (g *aggregator) role(role *clusterRole) *node {
	key := roleKey{role.ref.Name, role.object}
	if g.roles[key] == nil {
		g.roles[key] = &node{role: role}
	}
	return g.roles[key]
}

// selectedNode returns the node of a role that a selector selects; nil if a namesake of it is nearer. If several are
// equally near, the result of the node is unknown. Of several in one cluster, each counts.
func (g *aggregator) selectedNode(role *clusterRole) *node {
	if !g.index.catalog().namesakes || role.object == nil || g.index.unit.Kind == objects.ClusterUnit {
		return g.role(role)
	}
	meant, tie := g.index.roles.find(g.near, role.ref)
	switch {
	case slices.Contains(tie, role.object):
		return &node{result: g.singleton(g.unknown(role.ref))}
	case meant != role.object:
		return nil
	}
	return g.role(role)
}

// open reads a node when the walk reaches it.
func (g *aggregator) open(n *node) {
	g.opened++
	n.opened, n.low = g.opened, g.opened
	g.stack = append(g.stack, n)
	if n.role == nil {
		return
	}
	written, err := n.role.read(g.index)
	if err != nil {
		n.own = append(g.part(n.role, n.role.builtinRules()), g.unknown(n.role.ref))
		return
	}
	n.own, n.aggregated = g.part(n.role, written.rules), written.aggregated()
	for _, s := range written.selectors {
		n.next = append(n.next, g.selector(s))
	}
}

func (g *aggregator) selector(s labels.Selector) *node {
	key := s.String()
	if n := g.selectors[key]; n != nil {
		return n
	}
	n := &node{}
	g.selectors[key] = n
	for _, role := range g.index.matching(s) {
		if g.selected[role.place] == nil {
			g.selected[role.place] = cmp.Or(g.selectedNode(role), notSelected)
		}
		if chosen := g.selected[role.place]; chosen != notSelected {
			n.next = append(n.next, chosen)
		}
	}
	return n
}

// notSelected represents a role with a nearer namesake.
var notSelected = &node{result: &partSet{}}

// solve walks from a node to all unsolved nodes that it leads to. The walk keeps its own stack: a chain of roles can be as
// long as a repository is large.
func (g *aggregator) solve(start *node) {
	type step struct {
		node *node
		next int
	}
	g.open(start)
	for walk := []step{{start, 0}}; len(walk) > 0; {
		at := &walk[len(walk)-1]
		n := at.node
		if at.next < len(n.next) {
			child := n.next[at.next]
			at.next++
			switch {
			case child.result != nil:
			case child.opened > 0:
				n.low = min(n.low, child.opened)
			default:
				g.open(child)
				walk = append(walk, step{child, 0})
			}
			continue
		}
		walk = walk[:len(walk)-1]
		if len(walk) > 0 {
			parent := walk[len(walk)-1].node
			parent.low = min(parent.low, n.low)
		}
		if n.low == n.opened {
			g.close(n)
		}
	}
}

// close solves a strongly connected component: the nodes that were opened since first. All other nodes that they lead to
// are solved.
func (g *aggregator) close(first *node) {
	from := len(g.stack) - 1
	for g.stack[from] != first {
		from--
	}
	component := slices.Clone(g.stack[from:])
	g.stack = g.stack[:from]
	roles := slices.DeleteFunc(slices.Clone(component), func(n *node) bool { return n.role == nil })
	slices.SortStableFunc(roles, func(a, b *node) int { return cmp.Compare(a.role.ref.Name, b.role.ref.Name) })
	result := g.union(sources(roles, component))
	switch {
	case len(roles) == 1:
		result = g.single(roles[0], result)
	case len(roles) > 1:
		result = g.cycle(roles, result)
	}
	for _, n := range component {
		n.result = result
	}
}

// sources lists the results that a component takes from other nodes, in the order of the roles' names and selectors.
func sources(roles, component []*node) []*partSet {
	var found []*partSet
	seen := map[*node]bool{}
	var from func(nodes []*node)
	from = func(nodes []*node) {
		for _, n := range nodes {
			switch {
			case n.result != nil:
				found = append(found, n.result)
			case n.role == nil && !seen[n]:
				seen[n] = true
				from(n.next)
			}
		}
	}
	for _, role := range roles {
		from(role.next)
	}
	from(component) // a selector alone
	return found
}

// singleton returns the result of a role that is in no cycle, without the role itself, which the controller leaves out.
func (g *aggregator) single(n *node, result *partSet) *partSet {
	itself := func(p *part) bool { return p.unknown && p.giver.Role == n.role.ref }
	switch {
	case !n.aggregated:
		return g.intern(n.own)
	case slices.ContainsFunc(result.parts, itself):
		result = g.intern(slices.DeleteFunc(slices.Clone(result.parts), itself))
	}
	if len(result.parts) > 0 {
		return result
	}
	// If there are no rules, the controller applies the role without the field, so that the written rules stay.
	return g.intern(n.own)
}

// cycle returns the result of roles that aggregate one another.
func (g *aggregator) cycle(roles []*node, result *partSet) *partSet {
	i := slices.IndexFunc(roles, func(n *node) bool { return len(n.own) > 0 })
	if i < 0 {
		return result
	}
	for _, n := range roles {
		n.undetermined = true
	}
	return g.intern(append(slices.Clone(result.parts), g.unknown(roles[i].role.ref)))
}

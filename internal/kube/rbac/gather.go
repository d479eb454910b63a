package rbac

import (
	"cmp"
	"path"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/salint/salint/internal/kube/objects"
)

// aggregated returns what the controller fills a role with in the end: the rules of all roles that its selectors choose,
// and of those that these are put together from. Of what is written in roles that fill one another in a circle, it depends
// on the order of events what is left: then the rules are not known.
func (x *index) aggregated(role clusterRole, near *objects.Object) roleRules {
	folder := ""
	if near != nil && x.unit.Kind == objects.PlainUnit && x.catalogue().namesakes {
		folder = path.Dir(near.File)
	}
	g := x.gatherers.get(folder, func() *gatherer { return newGatherer(x, near) })
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rulesOf(role)
}

// gatherer puts aggregated roles together, each once, as seen from one folder. Roles that fill one another in a circle
// come to the same, so they are solved together: as the strongly connected components of a graph whose edges lead from a
// role to its selectors and from a selector to the roles that it chooses (Tarjan). A selector that many roles have is one
// node, so that they share what it comes to.
type gatherer struct {
	index *index
	near  *objects.Object

	mu        sync.Mutex
	roles     map[gathered]*node
	selectors map[string]*node
	chosen    []*node // by place in the catalog
	stack     []*node // those that are open
	opened    int

	mixes     map[uint64][]*mix
	ruleIDs   map[string]int
	ruleSeen  []int // by the number of a rule: the mix that had it last
	partCount int
	round     int
	kept      int
}

// gathered tells apart the roles that are asked about.
type gathered struct {
	name   string
	object *objects.Object
}

// node is a role, or a selector, in which case role is nil.
type node struct {
	role *clusterRole
	next []*node
	own  []*part // what is written in a role
	// aggregated tells that what is written counts only if nothing else does.
	aggregated bool

	opened, low int
	mix         *mix // nil before it is known
	// unsure tells that the role is in a circle in which something is written.
	unsure bool
}

func newGatherer(x *index, near *objects.Object) *gatherer {
	return &gatherer{
		index: x, near: near, roles: map[gathered]*node{}, selectors: map[string]*node{},
		chosen: make([]*node, len(x.catalogue().all)), mixes: map[uint64][]*mix{}, ruleIDs: map[string]int{},
	}
}

func (g *gatherer) rulesOf(role clusterRole) roleRules {
	n := g.role(&role)
	if n.mix == nil {
		g.solve(n)
	}
	result := g.rules(n.mix)
	if n.unsure {
		result.unknown = []RoleRef{role.ref}
	}
	return result
}

// role returns the node of a role.
func (g *gatherer) role(role *clusterRole) *node {
	key := gathered{role.ref.Name, role.object}
	if g.roles[key] == nil {
		g.roles[key] = &node{role: role}
	}
	return g.roles[key]
}

// meant returns the node of a role that a selector chooses; nil where a namesake of it is meant. Of several that may be meant
// the node knows only that.
func (g *gatherer) meant(role *clusterRole) *node {
	if !g.index.catalogue().namesakes || role.object == nil {
		return g.role(role)
	}
	meant, tie := g.index.roles.find(g.near, role.ref)
	switch {
	case slices.Contains(tie, role.object):
		return &node{mix: g.single(g.unknown(role.ref))}
	case meant != role.object:
		return nil
	}
	return g.role(role)
}

// open reads a node when the walk comes to it.
func (g *gatherer) open(n *node) {
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

func (g *gatherer) selector(s labels.Selector) *node {
	key := s.String()
	if n := g.selectors[key]; n != nil {
		return n
	}
	n := &node{}
	g.selectors[key] = n
	for _, role := range g.index.matching(s) {
		if g.chosen[role.place] == nil {
			g.chosen[role.place] = cmp.Or(g.meant(role), nobody)
		}
		if chosen := g.chosen[role.place]; chosen != nobody {
			n.next = append(n.next, chosen)
		}
	}
	return n
}

// nobody stands for a role that a namesake is meant instead of.
var nobody = &node{mix: &mix{}}

// solve walks from a node to all that it leads to and that was not solved before. The walk keeps its own stack: a chain of
// roles may be as long as a repository is large.
func (g *gatherer) solve(start *node) {
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
			case child.mix != nil:
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

// close solves the nodes that were opened since one of them and lead to one another. All that they lead to besides is
// solved.
func (g *gatherer) close(first *node) {
	from := len(g.stack) - 1
	for g.stack[from] != first {
		from--
	}
	together := slices.Clone(g.stack[from:])
	g.stack = g.stack[:from]
	roles := slices.DeleteFunc(slices.Clone(together), func(n *node) bool { return n.role == nil })
	slices.SortStableFunc(roles, func(a, b *node) int { return cmp.Compare(a.role.ref.Name, b.role.ref.Name) })
	result := g.union(sources(roles, together))
	switch {
	case len(roles) == 1:
		result = g.alone(roles[0], result)
	case len(roles) > 1:
		result = g.circle(roles, result)
	}
	for _, n := range together {
		n.mix = result
	}
}

// sources lists what nodes that lead to one another take from outside, in the order of the roles' names and selectors.
func sources(roles, together []*node) []*mix {
	var found []*mix
	seen := map[*node]bool{}
	var from func(nodes []*node)
	from = func(nodes []*node) {
		for _, n := range nodes {
			switch {
			case n.mix != nil:
				found = append(found, n.mix)
			case n.role == nil && !seen[n]:
				seen[n] = true
				from(n.next)
			}
		}
	}
	for _, role := range roles {
		from(role.next)
	}
	from(together) // a selector alone
	return found
}

// alone is what a role comes to that is in no circle, itself aside, which the controller leaves out.
func (g *gatherer) alone(n *node, result *mix) *mix {
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
	// Of no rules the controller makes an apply without the field, which takes nothing away from who wrote it.
	return g.intern(n.own)
}

// circle is what roles come to that fill one another.
func (g *gatherer) circle(roles []*node, result *mix) *mix {
	i := slices.IndexFunc(roles, func(n *node) bool { return len(n.own) > 0 })
	if i < 0 {
		return result
	}
	for _, n := range roles {
		n.unsure = true
	}
	return g.intern(append(slices.Clone(result.parts), g.unknown(roles[i].role.ref)))
}

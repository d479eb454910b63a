package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// part is the contribution of one role to aggregated roles: its rules, or that they are unknown.
type part struct {
	id      int
	giver   RuleSource
	rules   []rbacv1.PolicyRule
	ruleIDs []int
	unknown bool
	round   int // the last union that used it
}

func (g *aggregator) newPart(p part) *part {
	g.partCount++
	p.id = g.partCount
	return &p
}

func (g *aggregator) unknown(ref RoleRef) *part {
	return g.newPart(part{giver: RuleSource{Role: ref}, unknown: true})
}

// part returns the parts of a role; none for a role without rules.
func (g *aggregator) part(role *clusterRole, rules []rbacv1.PolicyRule) []*part {
	if len(rules) == 0 {
		return nil
	}
	p := g.newPart(part{giver: RuleSource{role.ref, role.object}, rules: rules})
	for _, rule := range rules {
		key := policyrules.Key(rule)
		id, known := g.ruleIDs[key]
		if !known {
			id = len(g.ruleSeen)
			g.ruleIDs[key] = id
			g.ruleSeen = append(g.ruleSeen, 0)
		}
		p.ruleIDs = append(p.ruleIDs, id)
	}
	return []*part{p}
}

// partSet is the combined contribution of several roles. It does not change once it is created.
type partSet struct {
	parts  []*part
	result *roleRules // computed on first use
}

func (g *aggregator) singleton(p *part) *partSet { return g.intern([]*part{p}) }

// union combines part sets, each part once, in order. A single set is not copied.
func (g *aggregator) union(sources []*partSet) *partSet {
	sources = slices.DeleteFunc(sources, func(m *partSet) bool { return len(m.parts) == 0 })
	same := func(m *partSet) bool { return m == sources[0] }
	if len(sources) > 0 && !slices.ContainsFunc(sources, func(m *partSet) bool { return !same(m) }) {
		return sources[0]
	}
	g.round++
	var parts []*part
	for _, source := range sources {
		for _, p := range source.parts {
			if p.round != g.round {
				p.round = g.round
				parts = append(parts, p)
			}
		}
	}
	return g.intern(parts)
}

// intern returns the unique part set of some parts: selectors that are written differently often select the same roles.
func (g *aggregator) intern(parts []*part) *partSet {
	const prime = 1099511628211 // of FNV-1a
	hash := uint64(14695981039346656037)
	for _, p := range parts {
		hash = (hash ^ uint64(p.id)) * prime
	}
	for _, known := range g.partSets[hash] {
		if slices.Equal(known.parts, parts) {
			return known
		}
	}
	m := &partSet{parts: slices.Clip(parts)}
	g.partSets[hash] = append(g.partSets[hash], m)
	return m
}

// keptRules limits the rules in cached results. Roles that differ a little can have as many rules as the square of the size
// of a repository.
const keptRules = 1 << 20

// rules returns the rules of a part set, each rule once.
func (g *aggregator) rules(m *partSet) roleRules {
	if m.result != nil {
		return *m.result
	}
	g.round++
	result := roleRules{partial: true}
	for _, p := range m.parts {
		if p.unknown {
			result.unknown = append(result.unknown, p.giver.Role)
		}
		for i, id := range p.ruleIDs {
			if g.ruleSeen[id] != g.round {
				g.ruleSeen[id] = g.round
				result.rules = append(result.rules, p.rules[i])
				result.givers = append(result.givers, p.giver)
			}
		}
	}
	result.unknown = sortRefs(result.unknown)
	if g.kept += len(result.rules); g.kept <= keptRules {
		m.result = &result
	}
	return result
}

package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// part is what one role gives to those that it fills: rules, or that they are not known.
type part struct {
	id      int
	giver   Giver
	rules   []rbacv1.PolicyRule
	ruleIDs []int
	unknown bool
	round   int // the union that took it last
}

func (g *gatherer) newPart(p part) *part {
	g.partCount++
	p.id = g.partCount
	return &p
}

func (g *gatherer) unknown(ref RoleRef) *part {
	return g.newPart(part{giver: Giver{Role: ref}, unknown: true})
}

// part is none for a role without rules.
func (g *gatherer) part(role *clusterRole, rules []rbacv1.PolicyRule) []*part {
	if len(rules) == 0 {
		return nil
	}
	p := g.newPart(part{giver: Giver{role.ref, role.object}, rules: rules})
	for _, rule := range rules {
		key := ruleKey(rule)
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

// mix is what roles come to that have the same parts. It does not change once it is made.
type mix struct {
	parts  []*part
	result *roleRules // once somebody asked
}

func (g *gatherer) single(p *part) *mix { return g.intern([]*part{p}) }

// union puts mixes together, each part once, in their order. One alone is not copied.
func (g *gatherer) union(sources []*mix) *mix {
	sources = slices.DeleteFunc(sources, func(m *mix) bool { return len(m.parts) == 0 })
	same := func(m *mix) bool { return m == sources[0] }
	if len(sources) > 0 && !slices.ContainsFunc(sources, func(m *mix) bool { return !same(m) }) {
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

// intern returns the one mix of some parts: selectors that are written differently often choose the same.
func (g *gatherer) intern(parts []*part) *mix {
	const prime = 1099511628211 // of FNV-1a
	hash := uint64(14695981039346656037)
	for _, p := range parts {
		hash = (hash ^ uint64(p.id)) * prime
	}
	for _, known := range g.mixes[hash] {
		if slices.Equal(known.parts, parts) {
			return known
		}
	}
	m := &mix{parts: slices.Clip(parts)}
	g.mixes[hash] = append(g.mixes[hash], m)
	return m
}

// keptRules is how many rules are kept written out. Roles that differ a little can have as many rules as the square of
// what a repository holds.
const keptRules = 1 << 20

// rules writes out what parts come to, each rule once.
func (g *gatherer) rules(m *mix) roleRules {
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

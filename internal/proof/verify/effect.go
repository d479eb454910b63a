package verify

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// effect are the permissions that bindings grant to an identity. all includes bindings that may not apply to it, because
// they depend on an unknown namespace, or because the API server rejects them, so that at most an older version is on the
// cluster; certain does not. Comparisons must agree in both, which are equal if nothing is uncertain.
type effect struct {
	all, certain permission.Effect
	doubtful     bool
}

// effectOf returns the permissions of bindings, counting each role once.
func effectOf(u *objects.Unit, bindings []rbac.Binding) effect {
	type grant struct {
		rbac.Grant
		role      *objects.Object
		uncertain bool
	}
	var e effect
	seen := map[grant]bool{}
	for _, b := range bindings {
		uncertain := b.Uncertain || len(b.Tie) > 0 || b.Refused != ""
		e.doubtful = e.doubtful || uncertain
		key := grant{rbac.Grant{Role: b.Role, Scope: b.Scope}, b.RoleObject, uncertain}
		if seen[key] {
			continue
		}
		seen[key] = true
		role := roleEffect(u, key.Grant, b.Object)
		e.all.Include(role)
		if !uncertain {
			e.certain.Include(role)
		}
	}
	return e
}

// roleEffect returns the permissions of a referenced role.
func roleEffect(u *objects.Unit, g rbac.Grant, near *objects.Object) permission.Effect {
	var e permission.Effect
	rules, known, partial := rbac.RoleRulesOf(u, g.Role, near)
	e.Add(g.Scope, rules)
	if !known || partial {
		e.AddRole(g)
	}
	return e
}

// without returns the permissions of an effect that the others do not have, for any subset of the uncertain bindings.
func (e effect) without(others ...effect) permission.Effect {
	doubtful := e.doubtful
	all, certain := make([]permission.Effect, len(others)), make([]permission.Effect, len(others))
	for i, other := range others {
		all[i], certain[i] = other.all, other.certain
		doubtful = doubtful || other.doubtful
	}
	left := e.all.Without(all...)
	if doubtful {
		left.Include(e.certain.Without(certain...))
	}
	return left
}

// beyond returns the permissions of an effect that the others do not have. more is called only if it matters.
func (e effect) beyond(more func() []effect, others ...effect) permission.Effect {
	left := e.without(others...)
	if left.Empty() {
		return left
	}
	further := slices.DeleteFunc(more(), effect.isNothing)
	if len(further) == 0 {
		return left
	}
	return e.without(append(others, further...)...)
}

// isNothing reports whether no comparison depends on the effect.
func (e effect) isNothing() bool { return e.all.Empty() && e.certain.Empty() && !e.doubtful }

// byPlace separates bindings that may not be applied together: those of plain files in different folders can belong to
// different clusters, and must not replace each other.
func byPlace(u *objects.Unit, bindings []rbac.Binding) map[string][]rbac.Binding {
	places := map[string][]rbac.Binding{}
	for _, b := range bindings {
		place := ""
		if u.Kind == objects.PlainUnit {
			place = path.Dir(b.Object.File)
		}
		places[place] = append(places[place], b)
	}
	return places
}

// naming returns the bindings that name a subject itself, by the places of a unit. Those of its groups are left out,
// because there can be many, with many members.
func naming(u *objects.Unit, s rbac.Subject) []rbac.Binding {
	if s.Kind == rbac.KindGroup {
		return rbac.BindingsOf(u, nil, s)
	}
	bindings := rbac.BindingsFor(u, nil, rbac.Identity{User: s.Identity().User})
	return slices.DeleteFunc(bindings, func(b rbac.Binding) bool { return b.Via != "" })
}

// groupKey is a group in a place of a unit.
type groupKey struct {
	unit         *objects.Unit
	group, place string
}

// ofGroups returns the permissions of an identity's groups in a place. They are computed once for each group.
func (e *examiner) ofGroups(u *objects.Unit, s rbac.Subject, place string) []effect {
	var effects []effect
	for _, group := range s.Groups() {
		key := groupKey{u, group, place}
		found, known := e.groups[key]
		if !known {
			found = effectOf(u, byPlace(u, naming(u, rbac.Subject{Kind: rbac.KindGroup, Name: group}))[place])
			e.groups[key] = found
		}
		effects = append(effects, found)
	}
	return effects
}

// except removes the bindings of some grants.
func except(bindings []rbac.Binding, leave func(rbac.Grant) bool) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(bindings), func(b rbac.Binding) bool {
		return leave(rbac.Grant{Role: b.Role, Scope: b.Scope})
	})
}

// join returns what two effects grant together.
func (e effect) join(other effect) effect {
	return effect{all: e.all.Join(other.all), certain: e.certain.Join(other.certain), doubtful: e.doubtful || other.doubtful}
}

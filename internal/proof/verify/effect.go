package verify

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// effect is what bindings let an identity do. Some may not reach it, for they depend on a namespace that is not known, or the
// API server refuses them, so that at most an older version is on the cluster: those are in all and not in certain. What is compared must agree in both; they are the same where nothing is doubtful.
type effect struct {
	all, certain permission.Effect
	doubtful     bool
}

// effectOf puts together what bindings grant, each role once.
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

// roleEffect is what a role allows that a binding, or anything else in its place, refers to.
func roleEffect(u *objects.Unit, g rbac.Grant, near *objects.Object) permission.Effect {
	var e permission.Effect
	rules, known, partial := rbac.RoleRulesOf(u, g.Role, near)
	e.Add(g.Scope, rules)
	if !known || partial {
		e.AddRole(g)
	}
	return e
}

// without is what an effect allows and others do not, whichever of the uncertain bindings hold.
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

// beyond is what an effect allows and others do not. More of them are only asked for when they matter.
func (e effect) beyond(more func() []effect, others ...effect) permission.Effect {
	left := e.without(others...)
	if left.Empty() {
		return left
	}
	return e.without(append(others, more()...)...)
}

// byPlace parts bindings that need not be applied together: those of plain files in different folders may belong to
// different clusters, and must not make up for one another.
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

// naming lists the bindings that name a subject itself, in the places of a unit. Those of its groups are not looked at:
// there may be many, and as many who are in them.
func naming(u *objects.Unit, s rbac.Subject) []rbac.Binding {
	if s.Kind == rbac.KindGroup {
		return rbac.BindingsOf(u, nil, s)
	}
	bindings := rbac.BindingsFor(u, nil, rbac.Identity{User: s.Identity().User})
	return slices.DeleteFunc(bindings, func(b rbac.Binding) bool { return b.Via != "" })
}

// groupKey is a group as a place of a unit has it.
type groupKey struct {
	unit         *objects.Unit
	group, place string
}

// ofGroups is what the groups that an identity is in are granted in a place. It is put together once for each group.
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

// except leaves out the bindings of some grants.
func except(bindings []rbac.Binding, leave func(rbac.Grant) bool) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(bindings), func(b rbac.Binding) bool {
		return leave(rbac.Grant{Role: b.Role, Scope: b.Scope})
	})
}

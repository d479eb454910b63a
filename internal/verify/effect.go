package verify

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/permission"
	"github.com/salint/salint/internal/rbac"
)

// effect is what bindings let an identity do. Some may not reach it, for they depend on a namespace that is not known:
// those are in all and not in certain. What is compared must agree in both; they are the same where nothing is doubtful.
type effect struct {
	all, certain permission.Effect
	doubtful     bool
}

// effectOf puts together what bindings grant, each role once.
func effectOf(u *inventory.Unit, bindings []rbac.Binding) effect {
	type grant struct {
		rbac.Grant
		role      *inventory.Object
		uncertain bool
	}
	var e effect
	seen := map[grant]bool{}
	for _, b := range bindings {
		uncertain := b.Uncertain || len(b.Tie) > 0
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
func roleEffect(u *inventory.Unit, g rbac.Grant, near *inventory.Object) permission.Effect {
	var e permission.Effect
	rules, known, partial := rbac.RoleRulesOf(u, g.Role, near)
	e.Add(g.Scope, rules)
	if !known || partial {
		e.AddRole(g)
	}
	return e
}

// without is what an effect allows and another does not, whichever of the uncertain bindings hold.
func (e effect) without(other effect) permission.Effect {
	left := e.all.Without(other.all)
	if e.doubtful || other.doubtful {
		left.Include(e.certain.Without(other.certain))
	}
	return left
}

func (e effect) join(other effect) effect {
	return effect{e.all.Join(other.all), e.certain.Join(other.certain), e.doubtful || other.doubtful}
}

// byPlace parts bindings that need not be applied together: those of plain files in different folders may belong to
// different clusters, and must not make up for one another.
func byPlace(u *inventory.Unit, bindings []rbac.Binding) map[string][]rbac.Binding {
	places := map[string][]rbac.Binding{}
	for _, b := range bindings {
		place := ""
		if u.Kind == inventory.PlainUnit {
			place = path.Dir(b.Object.File)
		}
		places[place] = append(places[place], b)
	}
	return places
}

// named lists the bindings that name an identity; through groups it is reached by the others.
func named(bindings []rbac.Binding) (direct, groups []rbac.Binding) {
	for _, b := range bindings {
		if b.Via == "" {
			direct = append(direct, b)
		} else {
			groups = append(groups, b)
		}
	}
	return direct, groups
}

// except leaves out the bindings of some grants.
func except(bindings []rbac.Binding, leave func(rbac.Grant) bool) []rbac.Binding {
	return slices.DeleteFunc(slices.Clone(bindings), func(b rbac.Binding) bool {
		return leave(rbac.Grant{Role: b.Role, Scope: b.Scope})
	})
}

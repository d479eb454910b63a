package identity

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// authenticatedGroup is the group of all accounts and synthetic users: what it is granted is neither lost nor gained.
const authenticatedGroup = "system:authenticated"

// HeldGrants are the grants of an identity in one unit, with the bindings that grant them.
type HeldGrants struct {
	subject  rbac.Subject
	bindings []rbac.Binding
	list     []rbac.Grant
}

// Has reports whether g is one of the grants.
func (h HeldGrants) Has(g rbac.Grant) bool { return slices.Contains(h.list, g) }

// GrantsOf returns the grants of an identity of the extension in a unit, without those of the group of all identities.
func GrantsOf(u *objects.Unit, v *Variant, s rbac.Subject) HeldGrants {
	h := HeldGrants{subject: s}
	for _, b := range rbac.BindingsOf(u, v.objectIn(u), s) {
		if b.Via != authenticatedGroup {
			h.bindings = append(h.bindings, b)
		}
	}
	h.list = rbac.GrantsOf(h.bindings)
	return h
}

// checkCertain refuses grants that are not certain.
func (h HeldGrants) checkCertain(v *Variant) error {
	_, inTemplate := openShiftTemplate(v.Object)
	for _, b := range h.bindings {
		place := b.Object.Position(nil)
		switch {
		case len(b.Tie) > 0:
			return engine.Refuse("%s at %s may belong to any of the extensions at %s, which are equally near, so the grants "+
				"of %s are unknown: list the objects that are applied together in a kustomization",
				b.Object.Kind, place, engine.Places(b.Tie), engine.SubjectName(h.subject))
		case b.Uncertain:
			return engine.Refuse("%s at %s may bind %s, depending on a namespace that is not set there: set the namespace, "+
				"or --grant role=NAME",
				b.Object.Kind, b.Object.Position(subjects.Path(b.SubjectIndex)), engine.SubjectName(h.subject))
		case b.Refused != "":
			return engine.Refuse("the API server rejects %s at %s because of %s, so it is unknown whether %s has %s: correct "+
				"that first",
				engine.NameOf(b.Object), refusedPlace(b), b.Refused, engine.SubjectName(h.subject), engine.GrantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		case b.Scope == rbac.UnknownNamespace:
			return engine.Refuse("RoleBinding %s at %s has no namespace, so the scope in which %s has %s is unknown: set the namespace",
				b.Object.Name, place, engine.SubjectName(h.subject), b.Role.Name)
		case !inTemplate && (rbac.Templated(b.Role.Name) || rbac.Templated(b.Scope)):
			return engine.Refuse("%s at %s grants %s, which contains a placeholder: bind it by hand",
				b.Object.Kind, place, engine.GrantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		}
	}
	return nil
}

// refusedPlace returns the place of the field because of which the API server rejects a binding.
func refusedPlace(b rbac.Binding) objects.Position {
	path, err := manifest.ParsePath(b.Refused)
	if err != nil {
		path = nil // the binding itself
	}
	return b.Object.Position(path)
}

// NotHeldBy returns the grants that another identity does not have.
func (h HeldGrants) NotHeldBy(other HeldGrants) []rbac.Grant {
	var missing []rbac.Grant
	for _, g := range h.list {
		if !other.Has(g) {
			missing = append(missing, g)
		}
	}
	return missing
}

// uncovered returns the grants whose permissions owner has neither by the same grant nor by other roles.
func (h HeldGrants) uncovered(u *objects.Unit, v *Variant, owner HeldGrants) []rbac.Grant {
	extra := h.NotHeldBy(owner)
	if len(extra) == 0 {
		return nil
	}
	rules := rbac.EffectiveRules(u, v.objectIn(u), owner.subject)
	if rbac.IsClusterAdmin(rules.Cluster) {
		return nil
	}
	var uncovered []rbac.Grant
	for _, g := range extra {
		if !h.isCovered(g, rules) {
			uncovered = append(uncovered, g)
		}
	}
	return uncovered
}

// isCovered reports whether rules include those of a grant. The rules of a role that is not in the repository are unknown.
func (h HeldGrants) isCovered(g rbac.Grant, by rbac.Effective) bool {
	role := h.BindingOf(g).RoleObject
	if role == nil || role.JSON()["aggregationRule"] != nil {
		return false
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		return false
	}
	covered, _ := policyrules.Covers(slices.Concat(by.Cluster, by.Namespaces[g.Scope]), rules)
	return covered
}

// directOnly leaves out the grants of groups.
func (h HeldGrants) directOnly() HeldGrants {
	return h.except(func(b rbac.Binding) bool { return b.Via != "" })
}

// CertainOnly leaves out grants that depend on an unknown namespace, and bindings that the API server rejects.
func (h HeldGrants) CertainOnly() HeldGrants {
	return h.except(func(b rbac.Binding) bool { return b.Uncertain || b.Refused != "" })
}

func (h HeldGrants) except(drop func(rbac.Binding) bool) HeldGrants {
	h.bindings = slices.DeleteFunc(slices.Clone(h.bindings), drop)
	h.list = rbac.GrantsOf(h.bindings)
	return h
}

// BindingOf returns a binding that grants g.
func (h HeldGrants) BindingOf(g rbac.Grant) rbac.Binding {
	i := slices.IndexFunc(h.bindings, func(b rbac.Binding) bool { return b.Role == g.Role && b.Scope == g.Scope })
	return h.bindings[i]
}

func union(a, b []rbac.Grant) []rbac.Grant {
	for _, g := range b {
		if !slices.Contains(a, g) {
			a = append(a, g)
		}
	}
	return a
}

// nothingBound is a part of messages: the synthetic identity of an extension has no grants in a unit.
func nothingBound(u *objects.Unit, v *Variant) string {
	return fmt.Sprintf("nothing in %s is bound to %s or %s",
		u, engine.SubjectName(v.UserSubject()), engine.SubjectName(engine.GroupSubject()))
}

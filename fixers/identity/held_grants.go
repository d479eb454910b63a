package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// authenticatedGroup is the group that accounts and synthetic users are both in: what it holds is neither lost nor gained.
const authenticatedGroup = "system:authenticated"

// heldGrants is what an identity of an extension is granted in one unit, by which bindings.
type heldGrants struct {
	subject  rbac.Subject
	bindings []rbac.Binding
	list     []rbac.Grant
}

func (h heldGrants) Has(g rbac.Grant) bool { return slices.Contains(h.list, g) }

// GrantsOf lists what an identity of the extension is granted in a unit, without what everybody is.
func GrantsOf(u *objects.Unit, e *Variant, s rbac.Subject) heldGrants {
	h := heldGrants{subject: s}
	for _, b := range rbac.BindingsOf(u, e.objectIn(u), s) {
		if b.Via != authenticatedGroup {
			h.bindings = append(h.bindings, b)
		}
	}
	h.list = rbac.GrantsOf(h.bindings)
	return h
}

// checkCertain refuses holdings that cannot be known for certain.
func (h heldGrants) checkCertain(e *Variant) error {
	_, inTemplate := openShiftTemplate(e.Object)
	for _, b := range h.bindings {
		place := b.Object.Position(nil)
		switch {
		case len(b.Tie) > 0:
			return engine.Refuse("%s at %s may belong to any of the extensions at %s, which are equally near, so the grants "+
				"of %s are unknown: list the objects that are applied together in a kustomization",
				b.Object.Kind, place, engine.Places(b.Tie), engine.SubjectName(h.subject))
		case b.Uncertain:
			return engine.Refuse("%s at %s may bind %s, depending on a namespace that is not set there: set it, or set "+
				"--grant role=NAME",
				b.Object.Kind, b.Object.Position(subjects.SubjectPath(b.SubjectIndex)), engine.SubjectName(h.subject))
		case b.Refused != "":
			return engine.Refuse("the API server rejects %s at %s because of %s, so it is unknown whether %s has %s: correct "+
				"that first",
				engine.NameOf(b.Object), refusedPlace(b), b.Refused, engine.SubjectName(h.subject), engine.GrantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		case b.Scope == rbac.UnknownNamespace:
			return engine.Refuse("RoleBinding %s at %s has no namespace, so the scope in which %s has %s is unknown: set it",
				b.Object.Name, place, engine.SubjectName(h.subject), b.Role.Name)
		case !inTemplate && (rbac.Templated(b.Role.Name) || rbac.Templated(b.Scope)):
			return engine.Refuse("%s at %s grants %s, which contains a placeholder: bind it by hand",
				b.Object.Kind, place, engine.GrantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
		}
	}
	return nil
}

// refusedPlace is where the field stands for which the API server refuses a binding.
func refusedPlace(b rbac.Binding) objects.Position {
	path, err := manifest.ParsePath(b.Refused)
	if err != nil {
		path = nil // the binding itself
	}
	return b.Object.Position(path)
}

// NotHeldBy lists the grants that another identity does not hold.
func (h heldGrants) NotHeldBy(other heldGrants) []rbac.Grant {
	var missing []rbac.Grant
	for _, g := range h.list {
		if !other.Has(g) {
			missing = append(missing, g)
		}
	}
	return missing
}

// uncovered lists the grants of h that owner neither holds nor has the permissions of by other roles.
func (h heldGrants) uncovered(u *objects.Unit, e *Variant, owner heldGrants) []rbac.Grant {
	extra := h.NotHeldBy(owner)
	if len(extra) == 0 {
		return nil
	}
	rules := rbac.EffectiveRules(u, e.objectIn(u), owner.subject)
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

// isCovered tells whether the rules of a grant are among others. Of a role that is not in the repository nobody knows.
func (h heldGrants) isCovered(g rbac.Grant, by rbac.Effective) bool {
	role := h.BindingOf(g).RoleObject
	if role == nil || role.JSON()["aggregationRule"] != nil {
		return false
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		return false
	}
	covered, _ := rbac.Covers(slices.Concat(by.Cluster, by.Namespaces[g.Scope]), rules)
	return covered
}

// directOnly leaves out what is held through groups.
func (h heldGrants) directOnly() heldGrants {
	return h.except(func(b rbac.Binding) bool { return b.Via != "" })
}

// CertainOnly leaves out what depends on a namespace that is not known, and what the API server refuses.
func (h heldGrants) CertainOnly() heldGrants {
	return h.except(func(b rbac.Binding) bool { return b.Uncertain || b.Refused != "" })
}

func (h heldGrants) except(drop func(rbac.Binding) bool) heldGrants {
	h.bindings = slices.DeleteFunc(slices.Clone(h.bindings), drop)
	h.list = rbac.GrantsOf(h.bindings)
	return h
}

// BindingOf finds a binding that grants g.
func (h heldGrants) BindingOf(g rbac.Grant) rbac.Binding {
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

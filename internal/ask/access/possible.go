package access

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// notFound returns the roles that are unknown also if the cluster of the view gets the roles of other units.
func (v View) notFound(unknown []rbac.RoleRef, bindings []rbac.Binding) []rbac.RoleRef {
	if v.possible == nil {
		return unknown
	}
	return slices.DeleteFunc(slices.Clone(unknown), func(ref rbac.RoleRef) bool {
		_, known, _ := rbac.RoleRulesOf(v.possible, ref, bindingOf(ref, bindings))
		return known
	})
}

// bindingOf returns the first binding that grants a role, or nil.
func bindingOf(ref rbac.RoleRef, bindings []rbac.Binding) *objects.Object {
	if i := slices.IndexFunc(bindings, func(b rbac.Binding) bool { return b.Role == ref }); i >= 0 {
		return bindings[i].Object
	}
	return nil
}

// possibly returns a doubt if a request is allowed by a role of another unit.
func (v View) possibly(who rbac.Identity, r rbac.Request) []Doubt {
	if v.possible == nil {
		return nil
	}
	answer := rbac.Ask(v.possible, nil, who, r)
	if !answer.Allowed || !v.isOther(answer.Binding, answer.Source) {
		return nil
	}
	return in(v.Unit, []Doubt{possibleDoubt(answer.Binding, "would allow it")})
}

// possibleRoles returns doubts about the roles that only other units have.
func (v View) possibleRoles(unknown, notFound []rbac.RoleRef, bindings []rbac.Binding) []Doubt {
	var doubts []Doubt
	for _, ref := range unknown {
		if slices.Contains(notFound, ref) {
			continue
		}
		i := slices.IndexFunc(rbac.BindingsBy(v.possible, bindingOf(ref, bindings)), func(b rbac.Binding) bool { return b.Role == ref })
		if i >= 0 {
			doubts = append(doubts, possibleDoubt(rbac.BindingsBy(v.possible, bindingOf(ref, bindings))[i], "grants more"))
		}
	}
	return in(v.Unit, doubts)
}

// isOther reports whether the view has a binding, and another unit the role, or the role from which it takes the rule.
func (v View) isOther(b rbac.Binding, source rbac.RuleSource) bool {
	has := func(o *objects.Object) bool { return slices.Contains(v.Unit.Objects, o) }
	return has(b.Object) && (b.RoleObject != nil && !has(b.RoleObject) || source.Object != nil && !has(source.Object))
}

// possibleDoubt returns the doubt about a binding to a role of another unit, of which it is unknown whether one cluster gets both.
func possibleDoubt(b rbac.Binding, does string) Doubt {
	role := RoleName(b.Role)
	if b.RoleObject != nil {
		at := b.RoleObject.Position(nil)
		role += fmt.Sprintf(" of %s:%d", at.File, at.Line)
	}
	return Doubt{Position: b.Object.Position(nil), Message: fmt.Sprintf("%s %s with %s, if one cluster gets both, which is unknown", BindingName(b), does, role)}
}

// possibleHolders returns the grants that a view has only with roles of other units.
func (v View) possibleHolders(r rbac.Request, certain []rbac.Holder) []Grant {
	if v.possible == nil {
		return nil
	}
	type key struct {
		object  *objects.Object
		subject int
	}
	known := map[key]bool{}
	for _, h := range certain {
		known[key{h.Binding.Object, h.Binding.SubjectIndex}] = true
	}
	var grants []Grant
	holders, _, _ := rbac.WhoCan(v.possible, r)
	for _, h := range holders {
		if !known[key{h.Binding.Object, h.Binding.SubjectIndex}] && v.isOther(h.Binding, h.Source) {
			grants = append(grants, NewGrant(v.possible, h.Binding, h.Rule, h.Source))
		}
	}
	return grants
}

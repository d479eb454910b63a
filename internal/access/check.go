package access

import (
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
	"github.com/salint/salint/internal/rbac"
	"github.com/salint/salint/internal/world"
)

// Scene is where questions are asked.
type Scene struct {
	World *world.World
	// Selected tells whether the user asked about a file.
	Selected func(file string) bool
}

// Verdict is the answer to `can-i`.
type Verdict struct {
	Identity rbac.Identity
	Request  rbac.Request
	// Allowed is true when at least one view allows it.
	Allowed bool
	Views   []ViewVerdict
	// Doubts are what is not known and could change the answer.
	Doubts []Doubt
	// Warnings are what should be known besides.
	Warnings []string
}

// ViewVerdict is the answer that one view gives.
type ViewVerdict struct {
	View    View
	Allowed bool
	// Grant is what allows it.
	Grant Grant
	// Knows tells that a binding names the identity, or a group that not everybody is in.
	Knows bool
	// Reaching are the bindings that count for the request, and do not allow it. Those of roles that are not known are no
	// part of it.
	Reaching []rbac.Binding
	// Elsewhere is a grant in one namespace, when it was asked for all of them and is not allowed there.
	Elsewhere *Grant
}

// Grant is a binding and the rule by which it allows something.
type Grant struct {
	Binding rbac.Binding
	Rule    rbacv1.PolicyRule
	// RulePosition is where the rule is written; its line is 0 for roles that are built in or put together.
	RulePosition inventory.Position
}

func newGrant(b rbac.Binding, rule rbacv1.PolicyRule) Grant {
	return Grant{b, rule, positionOf(b.RoleObject, rule)}
}

// positionOf finds a rule in the manifest of a role.
func positionOf(role *inventory.Object, rule rbacv1.PolicyRule) inventory.Position {
	if role == nil {
		return inventory.Position{}
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		return inventory.Position{}
	}
	i := slices.IndexFunc(rules, func(r rbacv1.PolicyRule) bool { return equalRules(r, rule) })
	if i < 0 {
		return inventory.Position{}
	}
	return role.Position(manifest.Path{"rules", strconv.Itoa(i)})
}

const mastersWarning = "the group system:masters may do everything, whatever is bound"

// Check answers whether an identity may do something. Where the views differ, one that allows it decides, for on the
// cluster of that unit it is allowed; Warnings then say so.
func (s Scene) Check(who rbac.Identity, r rbac.Request) Verdict {
	verdict := Verdict{Identity: who, Request: r}
	if who.Privileged() {
		verdict.Allowed = true
		verdict.Warnings = []string{mastersWarning}
		return verdict
	}
	for _, view := range Views(s.World, who, s.Selected) {
		v, doubts := check(view, who, r)
		verdict.Allowed = verdict.Allowed || v.Allowed
		verdict.Views = append(verdict.Views, v)
		verdict.Doubts = append(verdict.Doubts, doubts...)
	}
	if verdict.Allowed {
		verdict.Doubts = overlays(verdict.Views)
		verdict.Warnings = differences(verdict.Views)
		return verdict
	}
	verdict.Doubts = slices.Concat(verdict.Doubts, s.outside(who, r), s.NotRead(unitsOf(verdict.Views)))
	return verdict
}

func check(view View, who rbac.Identity, r rbac.Request) (ViewVerdict, []Doubt) {
	answer := rbac.Ask(view.Unit, view.From, who, r)
	v := ViewVerdict{View: view, Allowed: answer.Allowed}
	bindings := rbac.BindingsFor(view.Unit, view.From, who)
	v.Knows = slices.ContainsFunc(bindings, func(b rbac.Binding) bool { return !everybody[b.Via] })
	if answer.Allowed {
		v.Grant = newGrant(answer.Binding, answer.Rule)
		return v, nil
	}
	for _, b := range bindings {
		counts := b.Scope == "" || r.Path == "" && b.Scope == r.Namespace
		if counts && !slices.Contains(answer.Unknown, b.Role) {
			v.Reaching = append(v.Reaching, b)
		}
	}
	if r.Path == "" && r.Namespace == "" {
		r.Namespace = rbac.AnyNamespace
		if anywhere := rbac.Ask(view.Unit, view.From, who, r); anywhere.Allowed {
			grant := newGrant(anywhere.Binding, anywhere.Rule)
			v.Elsewhere = &grant
		}
	}
	return v, doubtsOf(view, bindings, answer)
}

// everybody are the groups that say nothing about who somebody is.
var everybody = map[string]bool{authenticated: true, unauthenticated: true, "system:serviceaccounts": true}

// differences warns when a view that knows the identity does not allow what another allows.
func differences(views []ViewVerdict) []string {
	if slices.ContainsFunc(views, func(v ViewVerdict) bool { return v.Knows && !v.Allowed }) {
		return []string{"not all deployment units say yes; -f PATH asks about one"}
	}
	return nil
}

func unitsOf(views []ViewVerdict) []*inventory.Unit {
	all := make([]View, len(views))
	for i, v := range views {
		all[i] = v.View
	}
	return unitsIn(all)
}

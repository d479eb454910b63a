package access

import (
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Scene is where questions are asked.
type Scene struct {
	Repository *loader.Repository
	// Selected tells whether the user asked about a file.
	Selected func(file string) bool
	// Every makes Check say no as soon as one view does.
	Every bool
}

// Verdict is the answer to `can-i`.
type Verdict struct {
	Identity rbac.Identity
	Request  Asked
	// Default is what allows it in every cluster, whatever the repository grants; nil when nothing does.
	Default *Grant
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
	// Elsewhere is a grant in a namespace that was not asked about.
	Elsewhere *Grant
	// Namespaces are those in which the identity has bindings, sorted.
	Namespaces []string
}

// Grant is a binding and the rule by which it allows something.
type Grant struct {
	Binding rbac.Binding
	Rule    rbacv1.PolicyRule
	// RulePosition is where the rule is written; its line is 0 for roles that every cluster has.
	RulePosition objects.Position
	// Giver is the role that an aggregated one has the rule from.
	Giver rbac.Giver
}

func newGrant(b rbac.Binding, rule rbacv1.PolicyRule, giver rbac.Giver) Grant {
	if giver.Role == b.Role {
		giver = rbac.Giver{}
	}
	written := b.RoleObject
	if giver.Role.Name != "" {
		written = giver.Object
	}
	return Grant{b, rule, positionOf(written, rule), giver}
}

// positionOf finds a rule in the manifest of a role.
func positionOf(role *objects.Object, rule rbacv1.PolicyRule) objects.Position {
	if role == nil {
		return objects.Position{}
	}
	rules, err := rbac.Rules(role)
	if err != nil {
		return objects.Position{}
	}
	i := slices.IndexFunc(rules, func(r rbacv1.PolicyRule) bool { return equalRules(r, rule) })
	if i < 0 {
		return objects.Position{}
	}
	return role.Position(manifest.Path{"rules", strconv.Itoa(i)})
}

const mastersWarning = "the group system:masters may do everything, whatever is bound"

// Check answers whether an identity may do something. Where the views differ, one that allows it decides, for on the
// cluster of that unit it is allowed; Warnings then say so.
func (s Scene) Check(who rbac.Identity, r Asked) Verdict {
	verdict := Verdict{Identity: who, Request: r}
	if who.Privileged() {
		verdict.Allowed = true
		verdict.Warnings = []string{mastersWarning}
		return verdict
	}
	units := s.units()
	for _, view := range s.views(units, who) {
		v, doubts := check(view, who, r)
		if v.Allowed && v.Grant.Binding.Default {
			verdict.Default = &v.Grant
		}
		verdict.Views = append(verdict.Views, v)
		verdict.Doubts = append(verdict.Doubts, doubts...)
	}
	if len(verdict.Views) == 0 {
		verdict.Default = defaultGrant(noUnit, who, r)
	}
	verdict.Allowed = s.allowed(verdict)
	if verdict.Allowed {
		verdict.Doubts = joined(s.overlays(verdict.Views), passing(verdict.Views))
		verdict.Warnings = differences(verdict.Views)
		return verdict
	}
	verdict.Doubts = joined(verdict.Doubts, s.outside(who, r.Request), s.NotRead(units), platform(who, r.Request))
	return verdict
}

func (s Scene) allowed(v Verdict) bool {
	switch {
	case len(v.Views) == 0:
		return v.Default != nil
	case s.Every:
		return !slices.ContainsFunc(v.Views, func(v ViewVerdict) bool { return !v.Allowed })
	}
	return slices.ContainsFunc(v.Views, func(v ViewVerdict) bool { return v.Allowed })
}

// noUnit is asked for what every cluster has, where the repository has nothing.
var noUnit = &objects.Unit{Kind: objects.KustomizationUnit}

func defaultGrant(unit *objects.Unit, who rbac.Identity, r Asked) *Grant {
	answer := rbac.AskDefaults(unit, who, r.Request)
	if !answer.Allowed {
		return nil
	}
	grant := newGrant(answer.Binding, answer.Rule, answer.Giver)
	return &grant
}

func check(view View, who rbac.Identity, r Asked) (ViewVerdict, []Doubt) {
	answer := rbac.Ask(view.Unit, view.From, who, r.Request)
	v := ViewVerdict{View: view, Allowed: answer.Allowed}
	bindings := rbac.BindingsFor(view.Unit, view.From, who)
	v.Knows = slices.ContainsFunc(bindings, func(b rbac.Binding) bool { return !everybody[b.Via] })
	if answer.Allowed {
		v.Grant = newGrant(answer.Binding, answer.Rule, answer.Giver)
		return v, nil
	}
	if grant := defaultGrant(view.Unit, who, r); grant != nil {
		v.Allowed, v.Grant = true, *grant
		return v, nil
	}
	v.Reaching = inVain(bindings, answer, r.Request)
	v.Namespaces = namespacesOf(bindings)
	v.Elsewhere = elsewhere(view, who, r)
	return v, doubtsOf(view, bindings, answer)
}

// inVain are the bindings that count for a request and do not allow it.
func inVain(bindings []rbac.Binding, answer rbac.Answer, r rbac.Request) []rbac.Binding {
	uncertain := func(b rbac.Binding) bool {
		return slices.ContainsFunc(answer.Uncertain, func(u rbac.Binding) bool {
			return u.Object == b.Object && u.SubjectIndex == b.SubjectIndex
		})
	}
	var reaching []rbac.Binding
	for _, b := range bindings {
		counts := b.Scope == "" || r.Path == "" && b.Scope == r.Namespace
		if counts && !slices.Contains(answer.Unknown, b.Role) && !uncertain(b) {
			reaching = append(reaching, b)
		}
	}
	return reaching
}

func namespacesOf(bindings []rbac.Binding) []string {
	var names []string
	for _, b := range bindings {
		if b.Scope != "" && b.Scope != rbac.UnknownNamespace && !rbac.Templated(b.Scope) {
			names = append(names, b.Scope)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// elsewhere looks for a grant in another namespace than the one asked about.
func elsewhere(view View, who rbac.Identity, r Asked) *Grant {
	if r.Path != "" {
		return nil
	}
	r.Namespace = rbac.AnyNamespace
	anywhere := rbac.Ask(view.Unit, view.From, who, r.Request)
	if !anywhere.Allowed {
		return nil
	}
	grant := newGrant(anywhere.Binding, anywhere.Rule, anywhere.Giver)
	return &grant
}

// everybody are the groups that say nothing about who somebody is.
var everybody = map[string]bool{authenticated: true, unauthenticated: true, "system:serviceaccounts": true}

// differences warns when a view that knows the identity does not allow what another allows.
func differences(views []ViewVerdict) []string {
	if slices.ContainsFunc(views, func(v ViewVerdict) bool { return v.Knows && !v.Allowed }) {
		return []string{"not all deployment units say yes: -f PATH asks about one, --every takes a single no for an answer"}
	}
	return nil
}

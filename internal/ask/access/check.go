package access

import (
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/grants"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// Scene is the repository that questions are asked about.
type Scene struct {
	Repository *loader.Repository
	// Selected returns whether a file is among the paths of the question.
	Selected func(file string) bool
	// GrantsElsewhere returns what can bind a role to an identity outside of the manifests that are read; nil to ask for nothing.
	GrantsElsewhere func(rbac.Identity) ([]grants.Grant, error)
	// Strict also counts what other repositories hold as unknown.
	Strict bool
	// Every requires all views to allow a request; otherwise one is enough.
	Every bool
}

// Verdict is the answer to `can-i`.
type Verdict struct {
	Identity rbac.Identity
	Request  Asked
	// Default is the default grant of every cluster that allows the request, or nil.
	Default *Grant
	// Allowed is true when at least one view allows it.
	Allowed bool
	Views   []ViewVerdict
	// Doubts are unknowns that could change the answer.
	Doubts []Doubt
	// Warnings are remarks that do not change the answer.
	Warnings []string
	// elsewhere is set if applications with objects from other repositories were not read and could change the answer.
	elsewhere bool
}

func (v Verdict) coverage() finding.Coverage {
	c := coverageOf(v.Doubts)
	c.Elsewhere = v.elsewhere
	return c
}

// coverageOf returns the coverage of an answer with doubts.
func coverageOf(doubts []Doubt) finding.Coverage { return finding.Known(len(doubts) == 0) }

// ViewVerdict is the answer for one view.
type ViewVerdict struct {
	View    View
	Allowed bool
	// Grant is the grant that allows it.
	Grant Grant
	// Knows is true if a binding names the identity or one of its groups, except the groups of all users.
	Knows bool
	// Reaching are the bindings that apply to the request and do not allow it, except those whose roles are unknown.
	Reaching []rbac.Binding
	// Elsewhere is a grant in another namespace than that of the request.
	Elsewhere *Grant
	// Namespaces are the namespaces in which the identity has bindings, sorted.
	Namespaces []string
}

// Grant is a binding and the rule that allows a request.
type Grant struct {
	Binding rbac.Binding
	Rule    rbacv1.PolicyRule
	// RulePosition is the position of the rule; its line is 0 for default roles of every cluster.
	RulePosition objects.Position
	// Giver is the role from which an aggregated role has the rule.
	Giver rbac.RuleSource
	// Versions are the versions of Kubernetes of which the default roles are.
	Versions kubeversion.Range
}

// NewGrant returns the grant of a rule of a binding, which the role of the binding takes from another (the giver) if it is aggregated.
func NewGrant(unit *objects.Unit, b rbac.Binding, rule rbacv1.PolicyRule, giver rbac.RuleSource) Grant {
	if giver.Role == b.Role {
		giver = rbac.RuleSource{}
	}
	written := b.RoleObject
	if giver.Role.Name != "" {
		written = giver.Object
	}
	return Grant{b, rule, positionOf(unit, written, rule), giver, unit.KubernetesVersions()}
}

// rulesKey is the key of the indexes of the rules of a role, which are read once: a role can have thousands of rules, each of which is a grant.
type rulesKey struct{ role *objects.Object }

// positionOf returns the position of a rule in the manifest of a role.
func positionOf(unit *objects.Unit, role *objects.Object, rule rbacv1.PolicyRule) objects.Position {
	if role == nil {
		return objects.Position{}
	}
	indexes := unit.Cached(rulesKey{role}, func() any {
		at := map[string]int{}
		rules, err := rbac.Rules(role)
		for i, rule := range rules {
			if _, known := at[policyrules.Key(rule)]; !known && err == nil {
				at[policyrules.Key(rule)] = i
			}
		}
		return at
	}).(map[string]int)
	i, known := indexes[policyrules.Key(rule)]
	if !known {
		return objects.Position{}
	}
	return role.Position(manifest.Path{"rules", strconv.Itoa(i)})
}

const mastersWarning = "the group system:masters can do everything, regardless of bindings"

// Check returns whether an identity can do something. If the views differ, one that allows it is enough, because the
// request is allowed on the cluster of that unit; Warnings then reports the difference. It also reports an identity that no release uses.
func (s Scene) Check(who rbac.Identity, r Asked) Verdict {
	verdict := s.check(who, r)
	verdict.Warnings = append(verdict.Warnings, s.unused(who)...)
	verdict.Warnings = append(verdict.Warnings, s.misspelled(who, verdict)...)
	if !verdict.Allowed {
		verdict.Warnings = append(verdict.Warnings, s.Tests()...)
	}
	return verdict
}

func (s Scene) check(who rbac.Identity, r Asked) Verdict {
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
		verdict.Default, verdict.Doubts = defaultGrant(s.Repository.EmptyUnit(), who, r)
	}
	verdict.Allowed = s.allowed(verdict)
	if verdict.Allowed {
		verdict.Doubts = joined(s.overlays(verdict.Views), passing(verdict.Views), s.servers(undecided))
		verdict.Warnings = differences(verdict.Views)
		return verdict
	}
	verdict.Doubts = joined(verdict.Doubts, s.outside(who, r.Request), s.grantedElsewhere(who, r.Namespace), s.UnreadSources(), s.NotRead(units), s.general(), platform(who, r.Request))
	others := s.Elsewhere()
	verdict.Warnings, verdict.elsewhere = slices.Concat(verdict.Warnings, s.meantAccounts(verdict), others), len(others) > 0
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

// defaultGrant returns the default grant of every cluster that allows a request; without one, what newer versions of Kubernetes
// grant.
func defaultGrant(unit *objects.Unit, who rbac.Identity, r Asked) (*Grant, []Doubt) {
	answer := rbac.AskDefaults(unit, who, r.Request)
	if !answer.Allowed {
		return nil, newerDoubts(answer.Newer)
	}
	grant := NewGrant(unit, answer.Binding, answer.Rule, answer.Source)
	return &grant, nil
}

func check(view View, who rbac.Identity, r Asked) (ViewVerdict, []Doubt) {
	answer := rbac.Ask(view.Unit, view.From, who, r.Request)
	v := ViewVerdict{View: view, Allowed: answer.Allowed}
	bindings := rbac.BindingsFor(view.Unit, view.From, who)
	v.Knows = slices.ContainsFunc(bindings, func(b rbac.Binding) bool { return !allUsers[b.Via] })
	if answer.Allowed {
		v.Grant = NewGrant(view.Unit, answer.Binding, answer.Rule, answer.Source)
		return v, nil
	}
	grant, newer := defaultGrant(view.Unit, who, r)
	if grant != nil {
		v.Allowed, v.Grant = true, *grant
		return v, nil
	}
	v.Reaching = ineffective(bindings, answer, r.Request)
	v.Namespaces = namespacesOf(bindings)
	v.Elsewhere = elsewhere(view, who, r)
	answer.Unknown = view.notFound(answer.Unknown, bindings)
	return v, slices.Concat(doubtsOf(view, bindings, answer), view.possibly(who, r.Request), newer)
}

// ineffective returns the bindings that apply to a request and do not allow it.
func ineffective(bindings []rbac.Binding, answer rbac.Answer, r rbac.Request) []rbac.Binding {
	uncertain := func(b rbac.Binding) bool {
		return slices.ContainsFunc(answer.Uncertain, func(u rbac.Binding) bool {
			return u.Object == b.Object && u.SubjectIndex == b.SubjectIndex
		})
	}
	newer := func(b rbac.Binding) bool {
		return slices.ContainsFunc(answer.Newer, func(n rbac.NewerGrant) bool { return n.Binding.Object == b.Object })
	}
	var reaching []rbac.Binding
	for _, b := range bindings {
		counts := b.Scope == "" || r.Path == "" && b.Scope == r.Namespace
		if counts && !slices.Contains(answer.Unknown, b.Role) && !uncertain(b) && !newer(b) {
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

// Elsewhere returns a grant in another namespace than that of the request.
func elsewhere(view View, who rbac.Identity, r Asked) *Grant {
	if r.Path != "" {
		return nil
	}
	r.Namespace = rbac.AnyNamespace
	anywhere := rbac.Ask(view.Unit, view.From, who, r.Request)
	if !anywhere.Allowed {
		return nil
	}
	grant := NewGrant(view.Unit, anywhere.Binding, anywhere.Rule, anywhere.Source)
	return &grant
}

// allUsers are the groups that do not identify anyone, because all users of a kind are members.
var allUsers = map[string]bool{authenticated: true, unauthenticated: true, "system:serviceaccounts": true}

// differences returns a warning if a view that knows the identity does not allow what another view allows.
func differences(views []ViewVerdict) []string {
	if slices.ContainsFunc(views, func(v ViewVerdict) bool { return v.Knows && !v.Allowed }) {
		return []string{"not all deployment units allow it: use -f PATH to ask about one of them, or --every to require all"}
	}
	return nil
}

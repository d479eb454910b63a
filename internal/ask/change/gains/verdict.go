package gains

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Verdict is how a reviewer should judge a gain.
type Verdict struct {
	Class    danger.Class
	Severity finding.Severity
	// Dangers are the reasons, the gravest first.
	Dangers []Reason
}

// Reason is a danger with its severity, which depends on the namespaces where the permission is gained.
type Reason struct {
	Text     string
	class    danger.Class
	severity finding.Severity
	Rank     int
}

// systemNamespace has the accounts of Kubernetes' own controllers, some of which can give themselves every permission.
const systemNamespace = "kube-system"

// scopeClass returns one scope of those in which the same permissions have the same verdict.
func scopeClass(scope string) string {
	if scope == "" || scope == systemNamespace {
		return scope
	}
	return "other"
}

// The texts of dangers that are not those of a single rule.
const (
	// AdministratorText is that of someone who holds everything.
	AdministratorText = "effectively cluster-admin"
	combinedText      = "effectively cluster-admin, together with the other roles of the identity"
	unknownRulesText  = "the rules of the role are not known"
	tooManyText       = "more combinations of verbs and resources than salint compares"
)

// Judge returns the verdict about a gain. The model is that of OLM where it is granted.
func Judge(g *Gain, model olm.Model) Verdict {
	v := Verdict{Class: danger.None, Severity: finding.Note}
	switch {
	case g.Scope == "" && isAdministrator(slices.Concat(g.Permissions, g.notCompared)):
		v.add(Reason{AdministratorText, danger.ClusterAdmin, finding.Error, 0})
	case g.combined:
		v.add(Reason{combinedText, danger.ClusterAdmin, finding.Error, 0})
	}
	for _, rule := range g.Compact {
		for _, d := range slices.Concat(danger.Of(rule, g.Scope), danger.OfObjects(rule, g.Scope, g.mapped)) {
			if d.EffectiveIn(g.Scope) && !d.Conditional {
				v.add(judgeDanger(d, rule, g.Scope, model))
			}
		}
	}
	if g.actsForSome {
		v.add(Reason{danger.ActsForSome.Text, danger.ActsForSome.Class, finding.Warning, danger.ActsForSome.Rank})
	}
	if text := openTo(g); text != "" {
		v.add(Reason{text, danger.Other, finding.Warning, danger.NotDangerous - 3})
	}
	if len(g.Unknown) > 0 {
		v.add(Reason{unknownRulesText, danger.Other, finding.Warning, danger.NotDangerous - 2})
	}
	if len(g.notCompared) > 0 {
		v.add(Reason{tooManyText, danger.Other, finding.Warning, danger.NotDangerous - 1})
	}
	slices.SortStableFunc(v.Dangers, compareJudged)
	if v.Class == danger.ClusterAdmin { // it includes all others
		v.Dangers = v.Dangers[:1]
	}
	return v
}

// openTo says that a gain is for everyone, "" if it is not, or if all authenticated users only read.
func openTo(g *Gain) string {
	switch audienceOf(g.Who) {
	case anyone:
		return "everyone who reaches the API server has it, without authentication"
	case allUsers:
		if slices.ContainsFunc(g.Compact, changes) {
			return "every authenticated identity can write"
		}
	}
	return ""
}

// audience is a set of identities that a subject stands for, as far as the verdict depends on it.
type audience int

const (
	// some users, which are known.
	namedUsers audience = iota
	// allUsers are all authenticated users, or all accounts.
	allUsers
	// anyone includes requests without authentication.
	anyone
)

func audienceOf(who rbac.Subject) audience {
	switch {
	case who.Kind == rbac.KindUser && who.Name == "system:anonymous", who.Kind == rbac.KindGroup && who.Name == "system:unauthenticated":
		return anyone
	case who.Kind == rbac.KindGroup && (who.Name == "system:authenticated" || who.Name == "system:serviceaccounts"):
		return allUsers
	}
	return namedUsers
}

// changes reports whether a rule allows more than reading. Reviews of access and of tokens create nothing.
func changes(rule rbacv1.PolicyRule) bool {
	isReview := func(group string) bool { return group == "authorization.k8s.io" || group == "authentication.k8s.io" }
	if len(rule.NonResourceURLs) > 0 || len(rule.APIGroups) > 0 && !slices.ContainsFunc(rule.APIGroups, func(group string) bool { return !isReview(group) }) {
		return false
	}
	return slices.ContainsFunc(rule.Verbs, func(verb string) bool { return verb != "get" && verb != "list" && verb != "watch" && verb != "use" })
}

func compareJudged(a, b Reason) int {
	return cmp.Or(cmp.Compare(ClassIndex(a.class), ClassIndex(b.class)), cmp.Compare(a.Rank, b.Rank))
}

// ClassIndex orders the classes of dangers, the gravest first.
func ClassIndex(c danger.Class) int { return slices.Index(danger.Classes(), c) }

func (v *Verdict) add(j Reason) {
	if ClassIndex(j.class) < ClassIndex(v.Class) {
		v.Class = j.class
	}
	v.Severity = max(v.Severity, j.severity)
	if !slices.ContainsFunc(v.Dangers, func(known Reason) bool { return known.Text == j.Text }) {
		v.Dangers = append(v.Dangers, j)
	}
}

// judgeDanger returns the class and the severity of a danger in a scope: an error is a direct way to become cluster-admin.
func judgeDanger(d danger.Danger, rule rbacv1.PolicyRule, scope string, model olm.Model) Reason {
	j := Reason{d.Text, d.Class, finding.Warning, d.Rank}
	if danger.IsWildcard(rule) && writes(rule) && d.Class == danger.Secrets {
		j.class = danger.Escalation
		j.Text = "*: writes every resource, including roles and pods"
	}
	powerful := scope == "" || scope == systemNamespace
	switch {
	case j.class == danger.ClusterAdmin, (j.class == danger.Escalation || d.Gains()) && powerful:
		j.severity = finding.Error
	case j.class == danger.Extensions && (model == olm.Ignored || model == olm.Removed):
		j.severity = finding.Error
	case d.Rank >= danger.WildcardRank:
		j.class, j.severity = danger.None, finding.Note
	}
	return j
}

func writes(rule rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rule.Verbs, func(verb string) bool { return verb == "create" || verb == "update" || verb == "patch" })
}

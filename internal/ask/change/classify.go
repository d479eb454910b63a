package change

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// verdict is how a reviewer should judge a gain.
type verdict struct {
	class    danger.Class
	severity finding.Severity
	// dangers are the reasons, the gravest first.
	dangers []judged
}

// judged is a danger with its severity, which depends on the namespaces where the permission is gained.
type judged struct {
	text     string
	class    danger.Class
	severity finding.Severity
	rank     int
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
	administratorText = "effectively cluster-admin"
	combinedText      = "effectively cluster-admin, together with the other roles of the identity"
	unknownRulesText  = "the rules of the role are not known"
	tooManyText       = "more combinations of verbs and resources than salint compares"
)

// judge returns the verdict about a gain. The model is that of OLM where it is granted.
func judge(g *gain, model olm.Model) verdict {
	v := verdict{class: danger.None, severity: finding.Note}
	switch {
	case g.Scope == "" && isAdministrator(slices.Concat(g.missing, g.notCompared)):
		v.add(judged{administratorText, danger.ClusterAdmin, finding.Error, 0})
	case g.combined:
		v.add(judged{combinedText, danger.ClusterAdmin, finding.Error, 0})
	}
	for _, rule := range g.compact {
		for _, d := range danger.Of(rule, g.Scope) {
			if d.EffectiveIn(g.Scope) && !d.Conditional {
				v.add(judgeDanger(d, rule, g.Scope, model))
			}
		}
	}
	if g.actsForSome {
		v.add(judged{danger.ActsForSome.Text, danger.ActsForSome.Class, finding.Warning, danger.ActsForSome.Rank})
	}
	if text := openTo(g); text != "" {
		v.add(judged{text, danger.Other, finding.Warning, danger.NotDangerous - 3})
	}
	if len(g.unknown) > 0 {
		v.add(judged{unknownRulesText, danger.Other, finding.Warning, danger.NotDangerous - 2})
	}
	if len(g.notCompared) > 0 {
		v.add(judged{tooManyText, danger.Other, finding.Warning, danger.NotDangerous - 1})
	}
	slices.SortStableFunc(v.dangers, compareJudged)
	if v.class == danger.ClusterAdmin { // it includes all others
		v.dangers = v.dangers[:1]
	}
	return v
}

// openTo says that a gain is for everyone, "" if it is not, or if all authenticated users only read.
func openTo(g *gain) string {
	switch audienceOf(g.who) {
	case anyone:
		return "everyone who reaches the API server has it, without authentication"
	case allUsers:
		if slices.ContainsFunc(g.compact, changes) {
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

func compareJudged(a, b judged) int {
	return cmp.Or(cmp.Compare(classIndex(a.class), classIndex(b.class)), cmp.Compare(a.rank, b.rank))
}

func classIndex(c danger.Class) int { return slices.Index(danger.Classes(), c) }

func (v *verdict) add(j judged) {
	if classIndex(j.class) < classIndex(v.class) {
		v.class = j.class
	}
	v.severity = max(v.severity, j.severity)
	if !slices.ContainsFunc(v.dangers, func(known judged) bool { return known.text == j.text }) {
		v.dangers = append(v.dangers, j)
	}
}

// judgeDanger returns the class and the severity of a danger in a scope: an error is a direct way to become cluster-admin.
func judgeDanger(d danger.Danger, rule rbacv1.PolicyRule, scope string, model olm.Model) judged {
	j := judged{d.Text, d.Class, finding.Warning, d.Rank}
	if danger.IsWildcard(rule) && writes(rule) && d.Class == danger.Secrets {
		j.class = danger.Escalation
		j.text = "*: writes every resource, including roles and pods"
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

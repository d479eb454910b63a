package change

import (
	"fmt"
	"path"
	"slices"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// grants reports what a controller grants for an object beyond what it granted before, and what the subject holds by bindings.
func (c *objectComparison) grants(then, now *objects.Object) {
	var before []controlled.Grant
	if then != nil {
		before = controlled.Grants(then)
	}
	for _, g := range controlled.Grants(now) {
		held := c.before.Holdings(g.Subject, path.Dir(now.File)).Certain
		for _, old := range before {
			if old.Subject == g.Subject {
				held = held.Join(gains.EffectOf(old.Scope, c.before.RulesOf(old)))
			}
		}
		rules := c.after.RulesOf(g)
		left, notCompared := gains.EffectOf(g.Scope, rules).Compare(held)
		if left.Empty() && notCompared.Empty() {
			continue
		}
		more := slices.Concat(left.Rules[g.Scope], notCompared.Rules[g.Scope])
		compact := policyrules.Compact(more)
		v := gains.Judge(&gains.Gain{
			Entry:      &gains.Entry{Binding: rbac.Binding{Scope: g.Scope}, Who: g.Subject},
			Difference: &gains.Difference{Permissions: more, Compact: compact, Unknown: rules.Unknown},
		}, olm.Unknown)
		what := access.RoleName(g.Role)
		if g.Role.Name == "" {
			what = some(permission.RuleTexts(compact, maxNames))
		}
		if len(v.Dangers) > 0 {
			what += " (" + v.Dangers[0].Text + ")"
		}
		c.granted[g.Subject] = c.granted[g.Subject] || v.Severity >= finding.Warning
		c.add(now, ruleOf(v.Class), v.Severity, fmt.Sprintf("%s grants %s to %s %s", nameText(now), what, access.SubjectName(g.Subject), scopeOfGrant(g.Scope)), "Check who it is.")
	}
}

// scopeOfGrant says where a controller grants something.
func scopeOfGrant(scope string) string {
	switch scope {
	case "":
		return "in the whole cluster"
	case rbac.AnyNamespace:
		return "in the namespaces that it selects"
	}
	return "in namespace " + scope
}

// constraints reports SecurityContextConstraints that allow pods more than before, or allow it to further users.
func (c *objectComparison) constraints(then, now *objects.Object) {
	without := func(list, known []string) []string {
		return slices.DeleteFunc(list, func(item string) bool { return slices.Contains(known, item) })
	}
	allowed, users := controlled.Allowed(now), controlled.UsersOf(now)
	more, joined := without(slices.Clone(allowed), controlled.Allowed(then)), without(slices.Clone(users), controlled.UsersOf(then))
	const advice = "Check which pods it admits."
	switch {
	case len(joined) > 0 && len(allowed) > 0:
		c.add(now, ruleOf(danger.Pods), finding.Warning, fmt.Sprintf("%s now allows %s pods with %s", nameText(now), some(joined), some(allowed)), advice)
	case len(joined) > 0:
		c.add(now, ruleOf(danger.Pods), finding.Note, fmt.Sprintf("%s now applies to pods of %s", nameText(now), some(joined)), advice)
	case len(more) > 0:
		c.add(now, ruleOf(danger.Pods), finding.Warning, fmt.Sprintf("%s now allows pods with %s", nameText(now), some(more)), advice)
	}
}

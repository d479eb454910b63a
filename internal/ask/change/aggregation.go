package change

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// sharedRoles are the default roles for users to which ClusterRoles are aggregated. Each includes those before it.
var sharedRoles = []string{"view", "edit", "admin"}

// aggregations reports what ClusterRoles of the repository add to default roles. Anyone can hold these: bindings outside the repository
// are unknown.
func (c *objectComparison) aggregations() {
	reported := map[rbac.RoleRef]int{} // the gravest class that a source adds to a role before
	for _, name := range sharedRoles {
		ref := rbac.RoleRef{Kind: "ClusterRole", Name: name}
		then, now := roleEntry(c.before.Unit, ref), roleEntry(c.after.Unit, ref)
		var held permission.Effect
		held.Add("", then.Rules.Rules)
		d := gains.DifferenceOf(now, held)
		if d == nil {
			continue
		}
		g := &gains.Gain{Entry: now, Difference: d}
		from := g.Contribution()
		v := gains.Judge(g, olm.Unknown)
		isReported := func(s gains.Source) bool {
			class, known := reported[s.Role]
			return known && class <= gains.ClassIndex(v.Class)
		}
		if len(from.Sources) == 0 && g.RoleObject == nil || len(from.Sources) > 0 && !slices.ContainsFunc(from.Sources, func(s gains.Source) bool { return !isReported(s) }) {
			continue
		}
		for _, s := range from.Sources {
			if !isReported(s) {
				reported[s.Role] = gains.ClassIndex(v.Class)
			}
		}
		c.widened(ref, g, v, from)
	}
}

// roleEntry returns an entry for the rules of a role, without a subject.
func roleEntry(u *objects.Unit, ref rbac.RoleRef) *gains.Entry {
	b := rbac.Binding{Role: ref}
	for _, o := range u.Find(objects.Query{Kind: ref.Kind, Name: ref.Name}) {
		if o.Group == rbac.Group {
			b.RoleObject = o
			break
		}
	}
	return &gains.Entry{Binding: b, Rules: rbac.RulesOfBinding(u, b)}
}

// widened reports a default role that gets more rules.
func (c *objectComparison) widened(ref rbac.RoleRef, g *gains.Gain, v gains.Verdict, from gains.Contribution) {
	what := strings.Join(permission.RuleTexts(g.Compact, maxNames), "; ")
	if len(v.Dangers) > 0 {
		var texts []string
		for _, d := range v.Dangers {
			texts = append(texts, d.Text)
		}
		what = some(texts)
	}
	severity := finding.Warning
	switch v.Class {
	case danger.None:
		severity = finding.Note
	case danger.ClusterAdmin:
		severity = finding.Error
	}
	const unknown = ", whose holders outside of the repository are unknown: "
	if len(from.Sources) == 0 {
		c.add(g.RoleObject, ruleOf(v.Class), severity, "the repository replaces the default role "+ref.Name+unknown+what, checkHolders)
		return
	}
	var names []string
	for _, s := range from.Sources {
		names = append(names, access.RoleName(s.Role))
	}
	verb := " adds to "
	if len(names) > 1 {
		verb = " add to "
	}
	c.add(from.Sources[0].Object, ruleOf(v.Class), severity, some(names)+verb+"the default role "+ref.Name+unknown+what, checkHolders)
}

const checkHolders = "Check who holds the default role."

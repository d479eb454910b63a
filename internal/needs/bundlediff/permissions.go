package bundlediff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// permissions returns the changes from the other effects to an effect: one for each namespace and danger.
func (c *comparison) permissions(all effect, like Change, others ...effect) []Change {
	left, unknown := all.Compare(others...)
	for _, namespace := range slices.Sorted(maps.Keys(unknown.Rules)) {
		like.Namespace = namespace
		c.notCompared = append(c.notCompared, fmt.Sprintf("rules of the %s version for %s", c.side, like.title()))
	}
	return groupByDanger(left, like, c.a.owned)
}

// groupByDanger returns one change for each namespace and danger.
func groupByDanger(left effect, like Change, own ownKinds) []Change {
	type key struct{ namespace, dangers string }
	groups := map[key]*Change{}
	at := func(namespace string, found []danger.Danger) *Change {
		k := key{namespace, fmt.Sprint(danger.Texts(found))}
		if groups[k] == nil {
			c := like
			c.Namespace, c.Dangers, c.rank = namespace, danger.Texts(found), danger.RankOf(found)
			groups[k] = &c
		}
		return groups[k]
	}
	for namespace, rules := range left.Rules {
		for _, rule := range policyrules.Breakdown(rules) {
			c := at(namespace, dangersFor(like, rule, namespace, own))
			c.Rules = append(c.Rules, rule)
		}
	}
	for g := range left.Roles {
		c := at(g.Scope, nil)
		c.Roles = append(c.Roles, g.Role)
	}
	changes := make([]Change, 0, len(groups))
	for _, k := range slices.SortedFunc(maps.Keys(groups), func(a, b key) int {
		return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.dangers, b.dangers))
	}) {
		c := groups[k]
		c.Rules = policyrules.Compact(c.Rules)
		slices.SortFunc(c.Roles, func(a, b rbac.RoleRef) int {
			return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
		})
		changes = append(changes, *c)
	}
	return changes
}

// dangersFor returns the dangers of a permission for the grantee of a change. What an installer does with an object by name
// is known: the object is in the content, and compared there.
func dangersFor(like Change, rule rbacv1.PolicyRule, namespace string, own ownKinds) []danger.Danger {
	if like.Part == Installer && len(rule.ResourceNames) > 0 {
		return nil
	}
	if !danger.IsWildcard(rule) && own.covers(rule) {
		return nil
	}
	return danger.Of(rule, namespace)
}

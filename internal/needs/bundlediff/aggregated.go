package bundlediff

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// aggregateLabel marks a ClusterRole whose rules are added to one that every cluster has.
const aggregateLabel = "rbac.authorization.k8s.io/aggregate-to-"

// aggregatedRoles gives what ClusterRoles of the content add to admin, edit, view and the like.
func aggregatedRoles(unit *objects.Unit) map[string]effect {
	roles := map[string]effect{}
	for _, o := range unit.Objects {
		metadata, _ := o.JSON()["metadata"].(map[string]any)
		labels, _ := metadata["labels"].(map[string]any)
		if o.Kind != "ClusterRole" || labels == nil {
			continue
		}
		for label, value := range labels {
			to, found := strings.CutPrefix(label, aggregateLabel)
			if !found || value != "true" {
				continue
			}
			e := roles[to]
			e.Include(roleEffect(unit, rbac.Grant{Role: rbac.RoleRef{Kind: o.Kind, Name: o.Name}}, o))
			roles[to] = e
		}
	}
	return roles
}

// contained are the roles of every cluster that others of them contain: what is added to view comes to edit and admin, too.
var contained = map[string][]string{"edit": {"view"}, "admin": {"edit", "view"}}

func moreAggregated(a, b *version) []Change {
	var changes []Change
	for _, role := range slices.Sorted(maps.Keys(a.roles)) {
		before := roleEffect(emptyUnit, rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: role}}, nil)
		before.Include(b.roles[role])
		for _, other := range contained[role] {
			before.Include(b.roles[other])
		}
		changes = append(changes, permissions(a.roles[role].Without(before), Change{Part: Aggregated, Role: role})...)
	}
	return changes
}

package bundlediff

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// aggregateLabel marks a ClusterRole whose rules are added to a default ClusterRole.
const aggregateLabel = "rbac.authorization.k8s.io/aggregate-to-"

// aggregatedRoles returns the permissions that ClusterRoles of the content add to admin, edit, view and other roles.
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

// contained are the default roles that others include: rules that are added to view are added to edit and admin as well.
var contained = map[string][]string{"edit": {"view"}, "admin": {"edit", "view"}}

func (c *comparison) moreAggregated() []Change {
	var changes []Change
	for _, role := range slices.Sorted(maps.Keys(c.a.roles)) {
		before := roleEffect(c.a.defaults, rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: role}}, nil)
		before.Include(c.b.roles[role])
		for _, other := range contained[role] {
			before.Include(c.b.roles[other])
		}
		changes = append(changes, c.permissions(c.a.roles[role], Change{Part: Aggregated, Role: role}, before)...)
	}
	return changes
}

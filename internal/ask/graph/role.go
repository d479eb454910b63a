package graph

import (
	"fmt"
	"github.com/salint/salint/internal/output/picture"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// role draws the role of a binding, and returns whether it is effectively cluster-admin if granted cluster-wide.
func (b *builder) role(binding rbac.Binding) (id string, admin bool) {
	n := roleNode(binding.Role, binding.RoleObject)
	key := roleKey(binding.Role, binding.RoleObject)
	if id, drawn := b.ids[key]; drawn {
		return id, b.admins[id]
	}
	rules, known, partial := rbac.RoleRulesOf(b.unit, binding.Role, binding.Object)
	n.Unknown, n.Partial = !known, partial && known
	n.Admin = known && binding.Role.Kind == "ClusterRole" && rbac.IsClusterAdmin(rules)
	switch {
	case len(binding.RoleTie) > 0:
		n.Note = "several files define it"
	case n.Unknown && binding.RoleObject == nil && b.isPossible(binding):
		n.Note = picture.Possible
	case n.Unknown && binding.RoleObject == nil && b.unit.Kind == objects.ClusterUnit:
		n.Note = picture.NotInCluster
	case n.Unknown && binding.RoleObject == nil:
		n.Note = picture.NotHere
	case n.Unknown:
		n.Note = "its rules cannot be read"
	}
	id = b.add(key, n)
	b.admins[id], b.possible[id] = n.Admin, n.Note == picture.Possible
	b.givers(id, binding)
	return id, n.Admin
}

// isPossible reports whether a unit has the role of a binding of which it is not known whether the same cluster gets it.
func (b *builder) isPossible(binding rbac.Binding) bool {
	possible := b.repository.Possible(b.unit)
	if possible == nil {
		return false
	}
	_, known, _ := rbac.RoleRulesOf(possible, binding.Role, binding.Object)
	return known
}

// givers draws the roles in the repository that an aggregated role consists of.
func (b *builder) givers(id string, binding rbac.Binding) {
	for _, giver := range rbac.RuleSourcesOf(b.unit, binding.Role, binding.Object) {
		if giver.Object == nil {
			continue // default roles of every cluster are not drawn
		}
		b.edge(picture.Edge{From: id, To: b.giver(giver), Kind: picture.Aggregates})
	}
}

// giver draws a role that others aggregate. It is not itself aggregated: for aggregated roles, the roles that they consist
// of are drawn.
func (b *builder) giver(giver rbac.RuleSource) string {
	key := roleKey(giver.Role, giver.Object)
	if id, drawn := b.ids[key]; drawn {
		return id
	}
	n := roleNode(giver.Role, giver.Object)
	rules, err := rbac.Rules(giver.Object)
	n.Unknown, n.Admin = err != nil, rbac.IsClusterAdmin(rules)
	id := b.add(key, n)
	b.admins[id] = n.Admin
	return id
}

func roleKey(ref rbac.RoleRef, object *objects.Object) string {
	if object != nil {
		return "role " + object.Ref()
	}
	return fmt.Sprintf("role %s/%s/%s", ref.Kind, ref.Namespace, ref.Name)
}

func roleNode(ref rbac.RoleRef, object *objects.Object) picture.Node {
	n := picture.Node{Kind: picture.Role, Object: ref.Kind, Namespace: ref.Namespace, Name: ref.Name}
	if object != nil {
		n.Position = object.Position(nil)
	}
	return n
}

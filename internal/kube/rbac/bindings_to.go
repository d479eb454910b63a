package rbac

import "github.com/salint/salint/internal/kube/objects"

type byRoleKey struct{}

// BindingsTo lists the bindings that grant a Role or ClusterRole of the unit, one entry for each subject, in the order of
// the unit: those that refer to it, and those that refer to an aggregated role which takes its rules. A reference resolves
// to the nearest of several roles of one name; if several are equally near, the binding is listed for each of them.
func BindingsTo(u *objects.Unit, role *objects.Object) []Binding {
	byRole := u.Cached(byRoleKey{}, func() any {
		x := indexOf(u)
		found := map[*objects.Object][]Binding{}
		for _, b := range x.bindings {
			for _, held := range x.heldBy(b) {
				found[held] = append(found[held], b)
			}
		}
		return found
	}).(map[*objects.Object][]Binding)
	return byRole[role]
}

// heldBy lists the roles to which a binding can refer, and those from which an aggregated one takes rules.
func (x *index) heldBy(b Binding) []*objects.Object {
	held := append([]*objects.Object{}, b.RoleTie...)
	if b.RoleObject != nil {
		held = append(held, b.RoleObject)
	}
	seen := map[*objects.Object]bool{b.RoleObject: true}
	for _, giver := range x.rulesOf(b).givers {
		if giver.Object != nil && !seen[giver.Object] {
			seen[giver.Object] = true
			held = append(held, giver.Object)
		}
	}
	return held
}

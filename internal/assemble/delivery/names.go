package delivery

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// byName files the units that applications apply under the names by which they may grant something.
func (d *Delivery) byName() map[string][]int {
	named := map[string][]int{}
	for i, unit := range d.delivered {
		for _, o := range unit.Objects {
			for _, name := range grantedNames(o) {
				if units := named[name]; len(units) == 0 || units[len(units)-1] != i {
					named[name] = append(units, i)
				}
			}
		}
	}
	return named
}

// grantedNames are those of the subjects of a binding, and of an account or a role its own.
func grantedNames(o *objects.Object) []string {
	switch o.Kind {
	case rbac.KindServiceAccount, "Role", "ClusterRole":
		return []string{o.Name}
	case "RoleBinding", "ClusterRoleBinding":
		return subjectNames(o)
	}
	return nil
}

func subjectNames(binding *objects.Object) []string {
	subjects, _ := binding.JSON()["subjects"].([]any)
	var names []string
	for _, subject := range subjects {
		fields, _ := subject.(map[string]any)
		if name, ok := fields["name"].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// granting are the units that may grant something to a subject, or hold one of the roles, in their order. A repository may
// have thousands of others.
func (d *Delivery) granting(subject rbac.Subject, roles []rbac.RoleRef) []*objects.Unit {
	who := subject.Identity()
	names := append([]string{subject.Name, who.User}, who.Groups...)
	for _, role := range roles {
		names = append(names, role.Name)
	}
	var found []int
	for _, name := range names {
		if name != everybody {
			found = append(found, d.named()[name]...)
		}
	}
	slices.Sort(found)
	units := make([]*objects.Unit, 0, len(found))
	for _, i := range slices.Compact(found) {
		units = append(units, d.delivered[i])
	}
	return units
}

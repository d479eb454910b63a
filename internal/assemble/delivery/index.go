package delivery

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// indexByName returns the indexes of the delivered units by the names to which they may grant something.
func (d *Delivery) indexByName() map[string][]int {
	named := map[string][]int{}
	for i, unit := range d.delivered() {
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

// unitsWithAccount returns the units that contain an account of a name, in their order.
func (d *Delivery) unitsWithAccount(name string) []*objects.Unit { return d.unitsByAccount()[name] }

func (d *Delivery) indexByAccount() map[string][]*objects.Unit {
	group, named := "", map[string][]*objects.Unit{}
	for _, unit := range d.units() {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount}) {
			if units := named[o.Name]; len(units) == 0 || units[len(units)-1] != unit {
				named[o.Name] = append(units, unit)
			}
		}
	}
	return named
}

// grantedNames returns the names of the subjects of a binding, and the name of an account or a role.
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

// unitsGranting returns the units that may grant something to a subject, or contain one of the roles, in their order. A
// repository can have thousands of other units.
func (d *Delivery) unitsGranting(subject rbac.Subject, roles []rbac.RoleRef) []*objects.Unit {
	who := subject.Identity()
	names := append([]string{subject.Name, who.User}, who.Groups...)
	for _, role := range roles {
		names = append(names, role.Name)
	}
	var found []int
	for _, name := range names {
		if name != authenticated {
			found = append(found, d.unitsByName()[name]...)
		}
	}
	slices.Sort(found)
	units := make([]*objects.Unit, 0, len(found))
	for _, i := range slices.Compact(found) {
		units = append(units, d.delivered()[i])
	}
	return units
}

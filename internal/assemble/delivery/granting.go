package delivery

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// grantIndex finds the units that may grant something to an account.
type grantIndex struct {
	byName func() map[string][]int
}

// templatedGrants is the name under which the index lists the units with bindings whose subjects are filled in later. No name
// has a space.
const templatedGrants = "filled in later"

// indexGrants returns the indexes of all units by the names to which they may grant something, and of the roles that they contain.
func (d *Delivery) indexGrants() map[string][]int {
	named := map[string][]int{}
	for i, unit := range d.units() {
		for _, o := range unit.Objects {
			for _, name := range grantedNames(o) {
				if strings.ContainsAny(name, "${<") {
					name = templatedGrants
				}
				if units := named[name]; len(units) == 0 || units[len(units)-1] != i {
					named[name] = append(units, i)
				}
			}
		}
	}
	return named
}

// Granting returns the units that may grant something to the account of an application: near are those on its cluster, as far as the
// repository shows that, and others are the other units of the repository.
func (d *Delivery) Granting(a Acting) (near, others []*objects.Unit) {
	subject := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: a.Account.Namespace, Name: a.Account.Name}
	names := append([]string{subject.Name, subject.Identity().User, templatedGrants}, subject.Identity().Groups...)
	found := d.unitsNamed(names)
	var roles []string
	for _, unit := range found {
		for _, role := range rolesOf(unit, nil, subject) {
			roles = append(roles, role.Name)
		}
	}
	around, groups := d.around(a.Application), d.groupsAround(a.Application)
	onCluster := func(unit *objects.Unit) bool {
		return slices.Contains(around, unit) || a.Application.OwnCluster() &&
			slices.ContainsFunc(d.clusters().of(unit), func(g group) bool { return slices.Contains(groups, g) })
	}
	for _, unit := range d.unitsNamed(append(names, roles...)) {
		switch {
		case onCluster(unit):
			near = append(near, unit)
		case slices.Contains(found, unit): // a role without a binding grants nothing
			others = append(others, unit)
		}
	}
	return near, others
}

// unitsNamed returns the units that the index lists under the names, in their order.
func (d *Delivery) unitsNamed(names []string) []*objects.Unit {
	var found []int
	for _, name := range names {
		found = append(found, d.grants.byName()[name]...)
	}
	slices.Sort(found)
	var units []*objects.Unit
	for _, i := range slices.Compact(found) {
		units = append(units, d.units()[i])
	}
	return units
}

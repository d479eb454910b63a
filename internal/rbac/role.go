package rbac

import (
	"github.com/salint/salint/internal/inventory"
)

// roleFinder finds the roles that bindings refer to. Those of one name are looked up once, however many refer to it.
type roleFinder struct {
	unit  *inventory.Unit
	known map[RoleRef]candidates
}

// candidates are the objects that a reference may mean.
type candidates struct {
	all        []*inventory.Object
	neighbours *inventory.Neighbours
}

// find gives the role a binding refers to: in a plain unit, of several of that name, the nearest. Where several are
// equally near, it gives these instead.
func (f *roleFinder) find(binding *inventory.Object, role RoleRef) (found *inventory.Object, tie []*inventory.Object) {
	c, ok := f.known[role]
	if !ok {
		c.all = f.unit.Find(roleQuery(role))
		c.neighbours = inventory.NewNeighbours(c.all)
		f.known[role] = c
	}
	nearest := c.all
	if f.unit.Kind == inventory.PlainUnit {
		nearest = c.neighbours.Nearest(binding)
	}
	switch len(nearest) {
	case 0:
		return nil, nil
	case 1:
		return nearest[0], nil
	}
	return nil, nearest
}

func roleQuery(role RoleRef) inventory.Query {
	namespace := role.Namespace
	if namespace == UnknownNamespace {
		namespace = ""
	}
	return inventory.Query{Group: new(Group), Kind: role.Kind, Namespace: namespace, Name: role.Name}
}

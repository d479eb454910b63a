package rbac

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/salint/salint/internal/kube/objects"
)

// catalog holds all ClusterRoles that aggregation can select: those of the unit and those that every cluster has.
type catalog struct {
	all []*clusterRole // sorted by name
	// with are the roles that have a label, and byKey those that have a label with that key.
	with  map[label][]*clusterRole
	byKey map[string][]*clusterRole
	// namesakes is true if the unit has several roles of one name, so that the result depends on the folder.
	namesakes bool
}

type label struct{ key, value string }

func (x *index) newCatalog() *catalog {
	c := &catalog{with: map[label][]*clusterRole{}, byKey: map[string][]*clusterRole{}}
	defined := map[string]bool{}
	for _, object := range x.unit.Find(objects.Query{Group: new(Group), Kind: kindClusterRole}) {
		if object.Name == "" {
			continue
		}
		c.namesakes = c.namesakes || defined[object.Name]
		defined[object.Name] = true
		ref := RoleRef{Kind: kindClusterRole, Name: object.Name}
		c.all = append(c.all, &clusterRole{ref: ref, object: object, builtin: x.builtinFor(ref, object)})
	}
	for ref, builtin := range builtinRoles(x.versions) {
		if ref.Kind == kindClusterRole && !defined[ref.Name] {
			c.all = append(c.all, &clusterRole{ref: ref, builtin: builtin})
		}
	}
	slices.SortStableFunc(c.all, func(a, b *clusterRole) int { return cmp.Compare(a.ref.Name, b.ref.Name) })
	for place, role := range c.all {
		role.place, role.labels = place, role.readLabels()
		for key, value := range role.labels {
			c.with[label{key, value}] = append(c.with[label{key, value}], role)
			c.byKey[key] = append(c.byKey[key], role)
		}
	}
	return c
}

// matching lists the roles that a selector selects, sorted by name.
func (x *index) matching(selector labels.Selector) []*clusterRole {
	return x.selected.get(selector.String(), func() []*clusterRole {
		var chosen []*clusterRole
		for _, role := range x.catalog().candidates(selector) {
			if selector.Matches(role.labels) {
				chosen = append(chosen, role)
			}
		}
		return chosen
	})
}

// candidates limits the roles to those that have a label which the selector requires, if it requires any.
func (c *catalog) candidates(selector labels.Selector) []*clusterRole {
	requirements, _ := selector.Requirements()
	fewest := c.all
	for _, r := range requirements {
		found := c.all
		switch values := r.Values().UnsortedList(); r.Operator() {
		case selection.Equals, selection.In:
			found = c.byKey[r.Key()]
			if len(values) == 1 {
				found = c.with[label{r.Key(), values[0]}]
			}
		case selection.Exists:
			found = c.byKey[r.Key()]
		}
		if len(found) < len(fewest) {
			fewest = found
		}
	}
	return fewest
}

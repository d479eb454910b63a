package cluster

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// Scopes returns the units in which names resolve: one for each cluster, with all that it gets, and the units of which the cluster is not known,
// as they are. The unit of plain files is the last one, see Rest.
func (c *Clusters) Scopes() []*objects.Unit { return c.scopes() }

func (c *Clusters) join() []*objects.Unit {
	plain := c.plain()
	var scopes []*objects.Unit
	for _, of := range c.All {
		if members := of.members(plain); len(members) > 0 && c.isScope(of) {
			scopes = append(scopes, of.join(members))
		}
	}
	for _, u := range c.units {
		if len(c.byUnit[u]) == 0 && u != plain {
			scopes = append(scopes, u)
		}
	}
	if plain != nil {
		scopes = append(scopes, c.rest())
	}
	return scopes
}

// Rest returns the unit of plain files, or a part of it, without the files in folders of clusters with a name: names in them resolve there. Files
// in folders of other clusters stay, as nothing shows that the rest belongs to another one.
func (c *Clusters) Rest(plain *objects.Unit) *objects.Unit {
	if plain == c.plain() {
		return c.rest()
	}
	return c.without(plain)
}

func (c *Clusters) without(plain *objects.Unit) *objects.Unit {
	isTaken := func(o *objects.Object) bool { return len(c.OfFolder(path.Dir(o.File))) > 0 }
	if !slices.ContainsFunc(plain.Objects, isTaken) {
		return plain
	}
	return &objects.Unit{
		Name: plain.Name, Root: plain.Root, Kind: plain.Kind, Problems: plain.Problems, Kubernetes: plain.Kubernetes,
		Objects: slices.DeleteFunc(slices.Clone(plain.Objects), isTaken),
	}
}

// OfFolder returns the clusters with a name that get the plain files in a folder.
func (c *Clusters) OfFolder(folder string) []*Cluster {
	var all []*Cluster
	for _, of := range c.All {
		if of.isNamed && c.isScope(of) && of.contains(folder) {
			all = append(all, of)
		}
	}
	return all
}

// isScope reports whether something shows what a cluster gets. Plain files alone are no cluster if only the folder of an application has its name.
func (c *Clusters) isScope(of *Cluster) bool { return len(of.Units) > 0 || c.isInSettings(of) }

// plain returns the unit of plain files, or nil.
func (c *Clusters) plain() *objects.Unit {
	for _, u := range c.units {
		if u.Kind == objects.PlainUnit {
			return u
		}
	}
	return nil
}

// isInSettings reports whether the settings name a cluster.
func (c *Clusters) isInSettings(of *Cluster) bool {
	for _, names := range c.named {
		if slices.Contains(names, of.ID) {
			return true
		}
	}
	return false
}

// members returns the units of the cluster, with one for its plain files.
func (c *Cluster) members(plain *objects.Unit) []*objects.Unit {
	members := slices.Clone(c.Units)
	if plain == nil || len(c.Folders) == 0 {
		return members
	}
	var near []*objects.Object
	for _, o := range plain.Objects {
		if c.contains(path.Dir(o.File)) {
			near = append(near, o)
		}
	}
	if len(near) == 0 {
		return members
	}
	return append(members, &objects.Unit{Name: plain.Name, Root: plain.Root, Kind: plain.Kind, Kubernetes: plain.Kubernetes, Objects: near})
}

// contains reports whether a folder is one of the cluster, or below one. What is below the top of the repository can be of any cluster.
func (c *Cluster) contains(folder string) bool {
	return slices.ContainsFunc(c.Folders, func(f string) bool { return folder == f || f != "." && strings.HasPrefix(folder, f+"/") })
}

// Part returns the scope of a cluster with only some of the objects, of those units that are built; nil if the cluster gets only one unit, and no plain files. It is complete
// if no unit of the cluster is pending.
func (c *Clusters) Part(of *Cluster, keep func(*objects.Object) bool) (part *objects.Unit, complete bool) {
	part, complete = &objects.Unit{Name: of.ID, Root: of.ID, Kind: objects.ClusterUnit}, true
	members := of.members(c.plain())
	if len(members) == 0 || len(members) == 1 && members[0].Kind != objects.PlainUnit {
		return nil, true
	}
	for _, member := range members {
		if member.Pending() {
			complete = false
			continue
		}
		built := member.Applied()
		part.Members = append(part.Members, built)
		if part.Kubernetes == nil {
			part.Kubernetes = built.Kubernetes
		}
		for _, o := range built.Objects {
			if keep(o) {
				part.Objects = append(part.Objects, o.Labeled(of.labels[member]))
			}
		}
	}
	slices.SortStableFunc(part.Objects, objects.Compare)
	part.Objects = slices.Compact(part.Objects)
	return part, complete
}

// join returns the unit of a cluster. An object that several units apply alike is in it once.
func (c *Cluster) join(members []*objects.Unit) *objects.Unit {
	joined := &objects.Unit{Name: c.ID, Root: c.ID, Kind: objects.ClusterUnit, Members: members}
	seen := map[string][]*objects.Object{}
	for _, member := range members {
		if joined.Kubernetes == nil {
			joined.Kubernetes = member.Kubernetes
		}
		joined.NotBuilt = joined.NotBuilt || member.NotBuilt
		joined.Problems = append(joined.Problems, member.Problems...)
		joined.Remotes = append(joined.Remotes, member.Remotes...)
		joined.LeftOut = append(joined.LeftOut, member.LeftOut...)
		for _, o := range member.Objects {
			o = o.Labeled(c.labels[member])
			same := func(other *objects.Object) bool { return other == o || reflect.DeepEqual(other.JSON(), o.JSON()) }
			if ref := o.Ref(); o.Name == "" || !slices.ContainsFunc(seen[ref], same) {
				seen[ref] = append(seen[ref], o)
				joined.Objects = append(joined.Objects, o)
			}
		}
	}
	slices.SortStableFunc(joined.Objects, objects.Compare)
	return joined
}

// Meet returns a unit of some objects of a scope with those that they meet in other scopes, if one cluster gets all of them, which is unknown.
func Meet(scope *objects.Unit, own []*objects.Object, met Met) *objects.Unit {
	possible := &objects.Unit{
		Name: scope.Name, Root: scope.Root, Kind: objects.ClusterUnit, Possible: true, Kubernetes: scope.Kubernetes, Members: slices.Clone(scope.Parts()),
	}
	for _, other := range met.Scopes {
		possible.Members = append(possible.Members, other.Parts()...)
	}
	there := map[*objects.Object]bool{}
	for _, o := range slices.Concat(own, met.Objects) {
		if !there[o] {
			there[o] = true
			possible.Objects = append(possible.Objects, o)
		}
	}
	slices.SortStableFunc(possible.Objects, objects.Compare)
	return possible
}

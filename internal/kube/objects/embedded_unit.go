package objects

import (
	"fmt"

	"github.com/salint/salint/internal/files/manifest"
)

type embeddedUnitsKey struct{}

// EmbeddedUnits returns a unit for each object of the unit that holds manifests of others: they are applied together, by the
// controller of that object, often to another cluster. More are kinds that the configuration adds; they are the same in every call.
func (u *Unit) EmbeddedUnits(more ...EmbeddedKind) []*Unit {
	return u.Cached(embeddedUnitsKey{}, func() any {
		var units []*Unit
		times := map[string]int{}
		for _, outer := range u.Objects {
			if inside := Embedded(outer, more...); len(inside) > 0 {
				unit := u.embeddedUnit(outer, inside, more)
				if times[unit.Name]++; times[unit.Name] > 1 {
					unit.Name += fmt.Sprintf(" (%d)", times[unit.Name])
				}
				units = append(units, unit)
			}
		}
		return units
	}).([]*Unit)
}

func (u *Unit) embeddedUnit(outer *Object, inside []*Object, more []EmbeddedKind) *Unit {
	unit := &Unit{
		Name: fmt.Sprintf("%s in %s", inside[0].Embedding.Title(), outer.File), Root: u.Root, Kind: EmbeddedUnit, Parent: u, Outer: outer,
		Objects: inside, Built: u.Built, NotBuilt: u.NotBuilt, Transforms: u.Transforms,
	}
	if u.Kind != PlainUnit {
		unit.Name += ", which " + u.String() + " applies"
	}
	if u.NotBuilt {
		unit.Problems = u.Problems
	}
	if source := outer.Source(); u.Built && source != nil {
		unit.Sources = Embedded(source, more...)
	}
	return unit
}

// AppliedBy returns the unit that applies the outer object of an embedded unit; other units apply themselves.
func (u *Unit) AppliedBy() *Unit {
	if u.Parent != nil {
		return u.Parent
	}
	return u
}

// localHolders are the kinds whose controller applies what they hold to its own cluster.
var localHolders = map[[2]string]bool{
	{fluxOperator, "ResourceSet"}:   true,
	{olmGroup, "ClusterObjectSet"}:  true,
	{kyvernoGroup, "ClusterPolicy"}: true,
	{kyvernoGroup, "Policy"}:        true,
	{helmGroup, "HelmRelease"}:      true,
}

// SameCluster reports whether the objects of an embedded unit are on the cluster of the unit that applies the outer object. Those
// of other holders can go to any cluster.
func (u *Unit) SameCluster() bool {
	return u.Kind != EmbeddedUnit ||
		localHolders[[2]string{u.Outer.Group, u.Outer.Kind}] && u.Outer.Node.Lookup(manifest.Path{"spec", "kubeConfig"}) == nil
}

// readsLikeParent reports whether the unit depends on everything that its parent reads. A plain file depends on no other.
func (u *Unit) readsLikeParent() bool { return u.Parent != nil && u.Parent.Kind != PlainUnit }

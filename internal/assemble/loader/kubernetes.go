package loader

import (
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// setVersions gives units the versions of Kubernetes that their targets can run. Units of an earlier assembly keep theirs. The
// targets are resolved when a question needs the versions.
func (t *Targets) setVersions(units []*objects.Unit) {
	for _, unit := range units {
		unit.Then(func(unit *objects.Unit) {
			if unit.Kubernetes == nil {
				unit.Kubernetes = sync.OnceValue(func() kubeversion.Range { return t.versions(unit) })
			}
		})
	}
}

// setWithheld lets units ask their applications which objects these leave out. Units of an earlier assembly keep theirs.
func setWithheld(units []*objects.Unit, set *applications.Set) {
	for _, unit := range units {
		unit.Then(func(unit *objects.Unit) {
			if unit.LeavesOut == nil {
				unit.LeavesOut = set.Withheld
			}
		})
	}
}

// versions returns the versions of Kubernetes that the target of a unit can run. The plain unit can hold several clusters: there
// these are the versions of all clusters with roles or bindings.
func (t *Targets) versions(unit *objects.Unit) kubeversion.Range {
	if unit.Kind != objects.PlainUnit {
		return t.Of(unit, firstOf(unit)).Target.Kubernetes
	}
	var all *kubeversion.Range
	for _, o := range unit.Objects {
		if o.Group != rbac.Group {
			continue
		}
		versions := t.Of(unit, o).Target.Kubernetes
		if all != nil {
			versions = all.Join(versions)
		}
		all = &versions
	}
	if all == nil {
		return t.Of(unit, firstOf(unit)).Target.Kubernetes
	}
	return *all
}

// firstOf returns an object of a unit; an empty one if the unit has none.
func firstOf(unit *objects.Unit) *objects.Object {
	if len(unit.Objects) == 0 {
		return &objects.Object{}
	}
	return unit.Objects[0]
}

// EmptyUnit returns a unit without objects, to ask about what every cluster has: in the versions of Kubernetes of the target that
// the user requests, if it applies to all files.
func (w *Repository) EmptyUnit() *objects.Unit {
	unit := &objects.Unit{Kind: objects.KustomizationUnit}
	w.Targets.setVersions([]*objects.Unit{unit})
	return unit
}

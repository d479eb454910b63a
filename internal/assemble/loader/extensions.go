package loader

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// Extension is a ClusterExtension (or Extension) in a unit that applies it. An extension that several units apply is listed once
// for each of them.
type Extension struct {
	olm.Extension
	Object   *objects.Object
	Unit     *objects.Unit
	Resolved ResolvedTarget
}

// Extensions returns the extensions of all units, in the order of the units. The kinds that were read must include Installers.
func (w *Repository) Extensions() []Extension {
	var found []Extension
	for _, unit := range w.Units {
		found = append(found, w.ExtensionsIn(unit)...)
	}
	return found
}

// ExtensionsIn returns the extensions of one unit, also of a unit that About returns.
func (w *Repository) ExtensionsIn(unit *objects.Unit) []Extension {
	var found []Extension
	for _, o := range unit.Objects {
		if extension, ok := olm.ReadExtension(o.Node); ok {
			found = append(found, Extension{extension, o, unit, w.Targets.Of(unit, o)})
		}
	}
	return found
}

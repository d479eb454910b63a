package overlay

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Defer returns the units that are built later, by unit: those that would be built now, and that Options.Defer selects.
func Defer(ctx context.Context, units []*objects.Unit, o Options) map[*objects.Unit]*objects.Unit {
	deferred := map[*objects.Unit]*objects.Unit{}
	if o.Files == nil || o.Defer == nil {
		return deferred
	}
	b := &builder{Options: o, ctx: ctx, files: newSnapshot(o.Files, units, o.Edits)}
	for _, u := range units {
		if inputs, ok := o.deferrable(u); ok {
			deferred[u] = u.Defer(inputs, func() *objects.Unit { return b.build(u) })
		}
	}
	return deferred
}

// deferrableFields are the fields of kustomizations that change objects in ways about which [objects.Unit.MayHold] can decide. The
// others can make objects of any kind, or change them in ways that only a build shows.
var deferrableFields = []string{
	"namePrefix", "nameSuffix", "namespace", "patches", "patchesStrategicMerge", "patchesJson6902", "components", "replacements", "labels",
}

// deferrable reports whether a unit can be built later, and returns the contents of its inputs. A unit with objects of Argo CD or
// Flux is never deferred, because these decide which units there are.
func (o Options) deferrable(u *objects.Unit) (inputs [][]byte, ok bool) {
	switch {
	case o.unchanged(u) != nil, !o.needed(u), u.Kind != objects.KustomizationUnit, len(u.Renderings) > 0, u.Kustomizations[0].IsComponent():
		return nil, false
	case u.LabelsPermissions(): // the answer about a role can depend on the labels of others
		return nil, false
	case len(u.Remotes) > 0, len(u.Problems) > 0: // what was not read could hold anything, and the report says so
		return nil, false
	case slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool { return !slices.Contains(deferrableFields, t.Field) }):
		return nil, false
	}
	for _, input := range u.NonObjectInputs {
		data, err := o.Files.ReadFile(input.File)
		if err != nil {
			return nil, false
		}
		inputs = append(inputs, data)
	}
	return inputs, o.Defer(u, inputs)
}

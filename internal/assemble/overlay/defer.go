package overlay

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Later is how a unit can be built later, with the contents of its inputs.
type Later struct {
	Inputs [][]byte
	Build  func() *objects.Unit
}

// BuiltLater returns, by unit, how units can be built later: those that would be built now, and about which [objects.Unit.MayHold] can
// decide until then.
func BuiltLater(ctx context.Context, units []*objects.Unit, o Options) map[*objects.Unit]Later {
	found := map[*objects.Unit]Later{}
	if o.Files == nil || o.Defer == nil {
		return found
	}
	b := &builder{Options: o, ctx: ctx, files: newSnapshot(o.Files, units, o.Edits)}
	for _, u := range units {
		if inputs, ok := o.deferrable(u); ok {
			found[u] = Later{inputs, func() *objects.Unit { return b.build(u) }}
		}
	}
	return found
}

// Defer returns the units that are built later, by unit: those that would be built now, and that Options.Defer selects.
func Defer(ctx context.Context, units []*objects.Unit, o Options) map[*objects.Unit]*objects.Unit {
	deferred := map[*objects.Unit]*objects.Unit{}
	for u, later := range BuiltLater(ctx, units, o) {
		if o.Defer(u, later.Inputs) {
			deferred[u] = u.Defer(later.Inputs, later.Build)
		}
	}
	return deferred
}

// deferrableFields are the fields of kustomizations that, beside those that only add, change objects in ways about which [objects.Unit.MayHold] can decide. The
// others can make objects of any kind, or change them in ways that only a build shows.
var deferrableFields = []string{
	"namePrefix", "nameSuffix", "namespace", "patches", "patchesStrategicMerge", "patchesJson6902", "components", "replacements",
}

// deferrable reports whether a unit can be built later, and returns the contents of its inputs, with what an application writes into its
// kustomization.
func (o Options) deferrable(u *objects.Unit) (inputs [][]byte, ok bool) {
	switch {
	case o.unchanged(u) != nil, !o.needed(u), o.refused(u) != nil, u.Kind != objects.KustomizationUnit, len(u.Renderings) > 0, u.Kustomizations[0].IsComponent():
		return nil, false
	case u.LabelsPermissions(): // the answer about a role can depend on the labels of others
		return nil, false
	case len(u.Remotes) > 0, len(u.Problems) > 0: // what was not read could hold anything, and the report says so
		return nil, false
	case slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool {
		_, adds := objects.AddedKind(t.Field)
		return !adds && !slices.Contains(deferrableFields, t.Field)
	}):
		return nil, false
	}
	for _, input := range u.NonObjectInputs {
		data, err := o.Files.ReadFile(input.File)
		if err != nil {
			return nil, false
		}
		inputs = append(inputs, data)
	}
	if edit := o.Edits[u]; edit != nil {
		inputs = append(inputs, edit.Data)
	}
	return inputs, true
}

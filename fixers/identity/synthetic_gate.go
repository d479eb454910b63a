package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// CheckSyntheticGate refuses if a signal shows that synthetic identities are off.
func CheckSyntheticGate(c *engine.Context, e *Variant) error {
	for _, unit := range UnitsUsingIdentity(c, e) {
		if s := resolveSignals(unit, e.objectIn(unit)); s.Synthetic == olm.GateOff {
			return engine.Refuse("%s, so synthetic identities are off and the extension would have no identity: turn on the "+
				"gate %s first", s.SyntheticSign.Description, olm.SyntheticGate)
		}
	}
	return nil
}

// resolveSignals resolves the signals for an object of a unit: all signals, or the nearest ones among plain files.
func resolveSignals(u *objects.Unit, o *objects.Object) olm.Resolution {
	all := signalsIn(u)
	objs := all.objects
	if u.Kind == objects.PlainUnit {
		objs = all.neighbours.Nearest(o)
	}
	var signs []olm.Sign
	for _, object := range objs {
		signs = append(signs, all.of[object]...)
	}
	return olm.Resolve(signs)
}

// unitSignals are the signals of a unit, by the objects that give them.
type unitSignals struct {
	objects    []*objects.Object
	neighbours *objects.Neighbours
	of         map[*objects.Object][]olm.Sign
}

type unitSignalsKey struct{}

func signalsIn(u *objects.Unit) *unitSignals {
	return u.Cached(unitSignalsKey{}, func() any {
		all := &unitSignals{of: map[*objects.Object][]olm.Sign{}}
		for _, o := range u.Objects {
			for _, sign := range olm.ReadSigns(o.Node) {
				sign.Ref = o.Ref()
				all.of[o] = append(all.of[o], sign)
			}
			if all.of[o] != nil {
				all.objects = append(all.objects, o)
			}
		}
		all.neighbours = objects.NewNeighbours(all.objects)
		return all
	}).(*unitSignals)
}

package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// CheckSyntheticGate refuses if a signal shows that synthetic identities are off.
func CheckSyntheticGate(c *engine.Context, v *Variant) error {
	for _, unit := range UnitsUsingIdentity(c, v) {
		if s := resolveSignals(unit, v.objectIn(unit)); s.Synthetic == olm.GateOff {
			return engine.Refuse("%s, so synthetic identities are off and the extension would have no identity: turn on the "+
				"gate %s first", s.SyntheticSignal.Description, olm.SyntheticGate)
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
	var signals []olm.Signal
	for _, object := range objs {
		signals = append(signals, all.of[object]...)
	}
	return olm.Resolve(signals)
}

// unitSignals are the signals of a unit, by the objects that give them.
type unitSignals struct {
	objects    []*objects.Object
	neighbours *objects.FolderIndex
	of         map[*objects.Object][]olm.Signal
}

type unitSignalsKey struct{}

func signalsIn(u *objects.Unit) *unitSignals {
	return u.Cached(unitSignalsKey{}, func() any {
		all := &unitSignals{of: map[*objects.Object][]olm.Signal{}}
		for _, o := range u.Objects {
			for _, signal := range olm.ReadSignals(o.Node) {
				signal.Ref = o.Ref()
				all.of[o] = append(all.of[o], signal)
			}
			if all.of[o] != nil {
				all.objects = append(all.objects, o)
			}
		}
		all.neighbours = objects.NewFolderIndex(all.objects)
		return all
	}).(*unitSignals)
}

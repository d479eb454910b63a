package fixers

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// checkGate refuses when a sign says that synthetic identities are off.
func (c *Context) checkGate(e *extension) error {
	for _, unit := range c.honouring(e) {
		if s := resolution(unit, e.in(unit)); s.Synthetic == olm.GateOff {
			return refuse("%s, so synthetic identities are off and the extension would be left without one: "+
				"turn the gate %s on first", s.SyntheticSign.Description, olm.SyntheticGate)
		}
	}
	return nil
}

// resolution is what the signs that hold for an object of a unit come to: all of them, or among plain files the nearest.
func resolution(u *objects.Unit, o *objects.Object) olm.Resolution {
	all := signsOf(u)
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

// unitSigns are the signs of a unit, by the objects that give them.
type unitSigns struct {
	objects    []*objects.Object
	neighbours *objects.Neighbours
	of         map[*objects.Object][]olm.Sign
}

type unitSignsKey struct{}

func signsOf(u *objects.Unit) *unitSigns {
	return u.Cached(unitSignsKey{}, func() any {
		all := &unitSigns{of: map[*objects.Object][]olm.Sign{}}
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
	}).(*unitSigns)
}

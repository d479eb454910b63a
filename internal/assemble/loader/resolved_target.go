package loader

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// ResolvedTarget is the target that holds for an object, and how that is known.
type ResolvedTarget struct {
	Target olm.Target
	// Asked is true when the user named the target, Known when anything did.
	Asked, Known bool
	// DetectedFrom is the place of the deciding sign, file:line.
	DetectedFrom string
	Signs        []olm.Sign
	// Synthetic tells whether synthetic identities are on.
	Synthetic olm.GateState
	// Scope is the file by which the configuration tells the target.
	Scope string
}

// Targets works out verdicts. A target belongs to a unit. In the plain unit, which may hold several clusters, it belongs
// to the objects that the signs lie nearest to. It may be asked from several goroutines.
type Targets struct {
	asked func(file string) (olm.Target, bool)

	mu    sync.Mutex
	units map[*objects.Unit]*unitSigns
}

// unitSigns are the signs of a unit.
type unitSigns struct {
	objects    []*objects.Object
	neighbours *objects.Neighbours
	of         map[*objects.Object][]olm.Sign
	resolved   map[string]olm.Resolution // by the objects that decide
}

// NewTargets takes the target that the user named for a file; nil, or not ok, leaves it to the signs.
func NewTargets(asked func(file string) (target olm.Target, ok bool)) *Targets {
	if asked == nil {
		asked = func(string) (olm.Target, bool) { return olm.Target{}, false }
	}
	return &Targets{asked: asked, units: map[*objects.Unit]*unitSigns{}}
}

// Of gives the verdict for an object in a unit. Without any sign the target is the model synthetic, and not known.
func (t *Targets) Of(unit *objects.Unit, object *objects.Object) ResolvedTarget {
	signs, resolution := t.resolve(unit, object)
	v := ResolvedTarget{Signs: signs, Synthetic: resolution.Synthetic, Scope: scopeFile(unit, object)}
	if target, asked := t.asked(v.Scope); asked {
		v.Target, v.Asked, v.Known = target, true, true
		return v
	}
	if resolution.Known {
		v.Target, v.Known = resolution.Target, true
		v.DetectedFrom = placeOf(unit, resolution.Sign)
		return v
	}
	v.Target = unknownTarget
	return v
}

// unknownTarget is what objects are judged for when nothing tells the release.
var unknownTarget = mustTarget(string(olm.Synthetic))

func mustTarget(name string) olm.Target {
	target, err := olm.ParseTarget(name)
	if err != nil {
		panic(err) // the models are rows of the table
	}
	return target
}

// scopeFile is the file by which the configuration tells the target: the kustomization, the application or the chart that
// applies the object, or, in the plain unit, the object's own.
func scopeFile(unit *objects.Unit, object *objects.Object) string {
	if unit.Kind == objects.KustomizationUnit && len(unit.Kustomizations) > 0 {
		return unit.Kustomizations[0].Path
	}
	if unit.Kind == objects.ApplicationUnit && len(unit.Appliers) > 0 {
		return unit.Appliers[0].Object.File
	}
	if unit.Kind == objects.ChartUnit {
		return path.Join(unit.Root, "Chart.yaml")
	}
	return object.File
}

// resolve weighs the signs that hold for an object.
func (t *Targets) resolve(unit *objects.Unit, object *objects.Object) ([]olm.Sign, olm.Resolution) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.units[unit]
	if all == nil {
		all = readUnitSigns(unit)
		t.units[unit] = all
	}
	objs := all.objects
	if unit.Kind == objects.PlainUnit && len(objs) > 1 {
		objs = all.neighbours.Nearest(object)
	}
	var key strings.Builder
	var signs []olm.Sign
	for _, o := range objs {
		key.WriteString(o.Ref() + "\x00")
		signs = append(signs, all.of[o]...)
	}
	resolution, done := all.resolved[key.String()]
	if !done {
		resolution = olm.Resolve(signs)
		all.resolved[key.String()] = resolution
	}
	return signs, resolution
}

func readUnitSigns(unit *objects.Unit) *unitSigns {
	all := &unitSigns{of: map[*objects.Object][]olm.Sign{}, resolved: map[string]olm.Resolution{}}
	for _, o := range unit.Objects {
		signs := olm.ReadSigns(o.Node)
		if len(signs) == 0 {
			continue
		}
		for i := range signs {
			signs[i].Ref = o.Ref()
		}
		all.objects = append(all.objects, o)
		all.of[o] = signs
	}
	all.neighbours = objects.NewNeighbours(all.objects)
	return all
}

func placeOf(unit *objects.Unit, sign olm.Sign) string {
	o := unit.Object(sign.Ref)
	if o == nil {
		return ""
	}
	at := o.Position(sign.Path)
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

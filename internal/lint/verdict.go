package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm"
)

// verdict is the target that an object is judged for, and how that is known.
type verdict struct {
	target olm.Target
	// asked is true when the user named the target, known when anything did.
	asked, known bool
	// detectedFrom is the place of the deciding sign, file:line.
	detectedFrom string
	signs        []olm.Sign
	// synthetic tells whether synthetic identities are on.
	synthetic olm.GateState
}

// judgement works out verdicts. A target belongs to a unit. In the plain unit, which may hold several clusters, it
// belongs to the objects that the signs lie nearest to.
type judgement struct {
	// asked gives the target that the user named for a file, or "".
	asked func(file string) (olm.Target, bool)

	mu    sync.Mutex
	units map[*inventory.Unit]*unitSigns
	used  map[finding.Target]bool // what anything was judged for
}

// unitSigns are the signs of a unit.
type unitSigns struct {
	objects    []*inventory.Object
	neighbours *inventory.Neighbours
	of         map[*inventory.Object][]olm.Sign
	resolved   map[string]olm.Resolution // by the objects that decide
}

func newJudgement(asked func(file string) (olm.Target, bool)) *judgement {
	return &judgement{asked: asked, units: map[*inventory.Unit]*unitSigns{}, used: map[finding.Target]bool{}}
}

// of gives the verdict for an object in a unit.
func (j *judgement) of(unit *inventory.Unit, object *inventory.Object) verdict {
	v := j.decide(unit, object)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.used[finding.Target{Name: targetName(v), Model: string(v.target.Model), DetectedFrom: v.detectedFrom}] = true
	return v
}

func (j *judgement) decide(unit *inventory.Unit, object *inventory.Object) verdict {
	signs, resolution := j.resolve(unit, object)
	v := verdict{signs: signs, synthetic: resolution.Synthetic}
	if target, asked := j.asked(scopeFile(unit, object)); asked {
		v.target, v.asked, v.known = target, true, true
		return v
	}
	if resolution.Known {
		v.target, v.known = resolution.Target, true
		v.detectedFrom = placeOf(unit, resolution.Sign)
		return v
	}
	v.target = unknownTarget
	return v
}

// unknownTarget is what findings are judged as when nothing tells the release.
var unknownTarget = mustTarget(string(olm.Synthetic))

func mustTarget(name string) olm.Target {
	target, err := olm.ParseTarget(name)
	if err != nil {
		panic(err) // the models are rows of the table
	}
	return target
}

// scopeFile is the file by which the configuration tells the target: the kustomization that applies the object, or, in
// the plain unit, the object's own.
func scopeFile(unit *inventory.Unit, object *inventory.Object) string {
	if unit.Kind == inventory.KustomizationUnit && len(unit.Kustomizations) > 0 {
		return unit.Kustomizations[0].Path
	}
	return object.File
}

// resolve weighs the signs that hold for an object.
func (j *judgement) resolve(unit *inventory.Unit, object *inventory.Object) ([]olm.Sign, olm.Resolution) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.units[unit]
	if all == nil {
		all = readUnitSigns(unit)
		j.units[unit] = all
	}
	objects := all.objects
	if unit.Kind == inventory.PlainUnit && len(objects) > 1 {
		objects = all.neighbours.Nearest(object)
	}
	var key strings.Builder
	var signs []olm.Sign
	for _, o := range objects {
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

func readUnitSigns(unit *inventory.Unit) *unitSigns {
	all := &unitSigns{of: map[*inventory.Object][]olm.Sign{}, resolved: map[string]olm.Resolution{}}
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
	all.neighbours = inventory.NewNeighbours(all.objects)
	return all
}

// targets gives the targets that anything was judged for, in no order.
func (j *judgement) targets() []finding.Target {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.used))
}

func placeOf(unit *inventory.Unit, sign olm.Sign) string {
	o := unit.Object(sign.Ref)
	if o == nil {
		return ""
	}
	at := o.Position(sign.Path)
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

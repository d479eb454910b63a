package judging

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// unusedSignals returns a note for each file that shows a target, and that no unit applies, if an extension has no target whose
// unit is near. The user may expect that the file decides.
func (r *Report) unusedSignals() []finding.Finding {
	unknown := r.unitsWithoutTarget()
	if len(unknown) == 0 {
		return nil
	}
	lists := kustomizationsByFolder(r.snapshot.Units)
	var notes []finding.Finding
	for _, unit := range r.snapshot.Units {
		if unit.Kind != objects.PlainUnit {
			continue
		}
		shown, used := r.plainSignals(unit)
		for _, o := range shown {
			k := lists[path.Dir(o.File)]
			units := slices.DeleteFunc(slices.Clone(unknown), func(u *objects.Unit) bool {
				return !isAround(u, o) && (k != nil || used[o.Ref()])
			})
			if len(units) > 0 {
				notes = append(notes, unusedSignal(o, k, units))
			}
		}
	}
	return notes
}

// unitsWithoutTarget returns the units, other than plain files, that have an extension whose target is unknown.
func (r *Report) unitsWithoutTarget() []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range r.snapshot.Units {
		isUnknown := func(o *objects.Object) bool { return isExtension(o) && !r.judge.Targets.Of(unit, o).Known }
		if unit.Kind != objects.PlainUnit && slices.ContainsFunc(unit.Objects, isUnknown) {
			units = append(units, unit)
		}
	}
	return units
}

// plainSignals returns the objects of plain files that show a target, and which of them decide for an extension among plain files.
func (r *Report) plainSignals(unit *objects.Unit) (shown []*objects.Object, used map[string]bool) {
	used = map[string]bool{}
	for _, o := range unit.Objects {
		if _, ok := shownTarget(o); ok {
			shown = append(shown, o)
		}
		if !isExtension(o) {
			continue
		}
		for _, signal := range r.judge.Targets.Of(unit, o).Signals {
			used[signal.Ref] = true
		}
	}
	return shown, used
}

// shownTarget returns the first signal of an object that identifies a target.
func shownTarget(o *objects.Object) (olm.Signal, bool) {
	for _, signal := range olm.ReadSignals(o.Node) {
		if signal.Target.Name != "" {
			return signal, true
		}
	}
	return olm.Signal{}, false
}

// isAround reports whether an object is in the folder of a unit, or in one that contains it.
func isAround(unit *objects.Unit, o *objects.Object) bool {
	folder := path.Dir(o.File)
	return isWithin(unit.Root, folder) || isWithin(folder, unit.Root)
}

func isWithin(folder, outer string) bool {
	return outer == "." || folder == outer || strings.HasPrefix(folder, outer+"/")
}

func unusedSignal(o *objects.Object, k *objects.Kustomization, units []*objects.Unit) finding.Finding {
	signal, _ := shownTarget(o)
	omitted := "No kustomization, chart, or application applies this file"
	if k != nil {
		omitted = k.Path + " does not list this file"
	}
	others := ""
	if more := len(units) - 1; more > 0 {
		others = fmt.Sprintf(" and %d more", more)
	}
	return loader.Problem{Position: o.Position(signal.Path), Message: fmt.Sprintf(
		"%s, so the target that it shows, %s, is not used for %s%s. Set it with `overrides:` in .salint.yaml if their cluster runs it.",
		omitted, signal.Target.Name, units[0], others)}.Finding()
}

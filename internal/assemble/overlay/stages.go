package overlay

import (
	"maps"

	"github.com/salint/salint/internal/kube/objects"
)

// stage is a kustomization, with the files whose objects it changes.
type stage struct {
	*objects.Kustomization
	reaches map[string]bool
}

// stages returns the kustomizations of a unit in the order in which they change objects: bases first, and the components of
// a kustomization before itself. A kustomization that is used twice is listed twice.
func stages(u *objects.Unit, edit *Edit) []stage {
	w := walker{byDir: map[string]*objects.Kustomization{}, open: map[*objects.Kustomization]bool{}}
	for _, k := range u.Kustomizations {
		w.byDir[k.Dir] = k
	}
	root := u.Kustomizations[0]
	if edit != nil {
		root = edit.Root
	}
	w.walk(root, map[string]bool{})
	return w.stages
}

// maxStages is far above what overlays have. The number doubles with each level of bases that are used twice.
const maxStages = 1000

type walker struct {
	byDir  map[string]*objects.Kustomization
	open   map[*objects.Kustomization]bool
	stages []stage
}

// walk adds a kustomization that changes the objects of the given files: for a component, those of its user.
func (w *walker) walk(k *objects.Kustomization, reaches map[string]bool) {
	if w.open[k] || len(w.stages) >= maxStages {
		return
	}
	w.open[k] = true
	reaches[k.Path] = true // with the objects of its charts
	defer delete(w.open, k)
	for _, components := range []bool{false, true} {
		for _, entry := range k.Resources {
			child := w.byDir[entry.Target]
			switch {
			case (entry.Field == "components") != components:
			case child == nil:
				reaches[entry.Target] = true
			case components:
				w.walk(child, reaches)
			default:
				own := map[string]bool{}
				w.walk(child, own)
				maps.Copy(reaches, own)
			}
		}
	}
	w.stages = append(w.stages, stage{k, reaches})
}

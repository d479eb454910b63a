package loader

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// About lists the units that the user asked about: those that apply or read a file he selected, whatever is in it. What a
// kustomization applies is applied together. Plain files are not: of the plain unit those objects that questions start at
// count only where they were selected, while the objects that they refer to may lie anywhere. A plain file that was named
// stands for its folder.
func (w *Repository) About(selected func(file string) bool, start func(*objects.Object) bool) []*objects.Unit {
	beside := w.beside(selected)
	var units []*objects.Unit
	for _, unit := range w.Units {
		if unit.Kind == objects.PlainUnit {
			units = append(units, narrowed(unit, beside, start))
		} else if applies(unit, selected) || w.renders(unit, selected) {
			units = append(units, unit)
		}
	}
	return units
}

func applies(unit *objects.Unit, selected func(string) bool) bool {
	return slices.ContainsFunc(unit.Objects, func(o *objects.Object) bool { return selected(o.File) }) ||
		slices.ContainsFunc(unit.Kustomizations, func(k *objects.Kustomization) bool {
			return selected(k.Path) ||
				slices.ContainsFunc(k.Resources, func(e objects.Entry) bool { return e.Target != "" && selected(e.Target) }) ||
				slices.ContainsFunc(k.NonObjectInputs, func(c objects.NonObjectInput) bool { return c.File != "" && selected(c.File) })
		})
}

// renders tells whether a file was selected of a chart that a unit renders, or of its values.
func (w *Repository) renders(unit *objects.Unit, selected func(string) bool) bool {
	return len(unit.Renderings) > 0 && slices.ContainsFunc(w.names, func(name string) bool {
		return unit.Reads(name) && selected(name)
	})
}

// beside selects, besides what is selected, what lies in the folder of a file that was selected by itself.
func (w *Repository) beside(selected func(string) bool) func(string) bool {
	folders := map[string]bool{}
	for _, name := range w.names {
		if folder := path.Dir(name); !folders[folder] && !selected(folder) && selected(name) {
			folders[folder] = true
		}
	}
	if len(folders) == 0 {
		return selected
	}
	return func(file string) bool {
		for folder := path.Dir(file); ; folder = path.Dir(folder) {
			if folders[folder] {
				return true
			}
			if folder == "." {
				return selected(file)
			}
		}
	}
}

// MayGrant tells whether a file of a unit holds a binding, be it one that was of no interest and not parsed.
func (w *Repository) MayGrant(unit *objects.Unit) bool { return mayGrant(unit, w.granting) }

// mayGrant takes the files with bindings.
func mayGrant(unit *objects.Unit, granting map[string]bool) bool {
	if slices.ContainsFunc(unit.Objects, isBinding) {
		return true
	}
	for file := range granting {
		if len(unit.Renderings) > 0 && unit.Reads(file) {
			return true
		}
	}
	return slices.ContainsFunc(unit.Kustomizations, func(k *objects.Kustomization) bool {
		return slices.ContainsFunc(k.Resources, func(e objects.Entry) bool { return granting[e.Target] })
	})
}

func isBinding(o *objects.Object) bool { return slices.Contains(bindingKinds, o.Kind) }

// bindingKinds are the kinds that grant roles.
var bindingKinds = []string{"ClusterRoleBinding", "RoleBinding"}

func narrowed(unit *objects.Unit, selected func(string) bool, start func(*objects.Object) bool) *objects.Unit {
	outside := func(o *objects.Object) bool { return start(o) && !selected(o.File) }
	if !slices.ContainsFunc(unit.Objects, outside) {
		return unit
	}
	return &objects.Unit{
		Name: unit.Name, Root: unit.Root, Kind: unit.Kind, Problems: unit.Problems,
		Objects: slices.DeleteFunc(slices.Clone(unit.Objects), outside),
	}
}

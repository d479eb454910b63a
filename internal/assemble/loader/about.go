package loader

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// About returns the units that apply or read a selected file. The files of a kustomization are applied together, so the whole
// unit counts. The files of the plain unit are not: of the objects for which start returns true, it keeps only those in selected
// files; the objects to which they refer can be anywhere. A plain file that was named selects its folder.
func (w *Repository) About(selected func(file string) bool, start func(*objects.Object) bool) []*objects.Unit {
	withFolders := w.withFolders(selected)
	var units []*objects.Unit
	for _, unit := range w.Units {
		if unit.Kind == objects.PlainUnit {
			units = append(units, narrowed(unit, withFolders, start))
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

// renders reports whether a file of a chart that the unit renders, or a file of its values, is selected.
func (w *Repository) renders(unit *objects.Unit, selected func(string) bool) bool {
	return len(unit.Renderings) > 0 && slices.ContainsFunc(w.Collection.Names, func(name string) bool {
		return unit.Reads(name) && selected(name)
	})
}

// withFolders returns a function that also selects the folder of each file that was selected by its own path.
func (w *Repository) withFolders(selected func(string) bool) func(string) bool {
	folders := map[string]bool{}
	for _, name := range w.Collection.Names {
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

// MayGrant reports whether a file of a unit holds a binding, even one that was not parsed.
func (w *Repository) MayGrant(unit *objects.Unit) bool { return mayGrant(unit, w.granting) }

// mayGrant is MayGrant for a set of files with bindings.
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

// bindingKinds are the kinds of objects that grant roles.
var bindingKinds = []string{"ClusterRoleBinding", "RoleBinding"}

func narrowed(unit *objects.Unit, selected func(string) bool, start func(*objects.Object) bool) *objects.Unit {
	outside := func(o *objects.Object) bool { return start(o) && !selected(o.File) }
	if !slices.ContainsFunc(unit.Objects, outside) {
		return unit
	}
	return &objects.Unit{
		Name: unit.Name, Root: unit.Root, Kind: unit.Kind, Problems: unit.Problems, Kubernetes: unit.Kubernetes,
		Objects: slices.DeleteFunc(slices.Clone(unit.Objects), outside),
	}
}

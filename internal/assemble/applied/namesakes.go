package applied

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// Object returns an object of a file in the form in which the first unit applies it; nil if there is none. An object that no rule asked
// for is in no unit, and is read here.
func (r *Repository) Object(file, ref string) *objects.Object {
	if o := r.firstForm(file, ref); o != nil {
		return o
	}
	return r.objectsIn(file)[ref]
}

// firstForm returns an object of a file in the form in which the first unit applies it; nil if none does.
func (r *Repository) firstForm(file, ref string) *objects.Object {
	for _, unit := range r.UnitsOf(file) {
		if o := unit.Object(ref); o != nil {
			return o
		}
	}
	return nil
}

// ObjectsIn returns all objects of a file, sorted: each in the form in which the first unit applies it, or as written if none does.
func (r *Repository) ObjectsIn(file string) []*objects.Object {
	var all []*objects.Object
	for _, o := range r.objectsIn(file) {
		if applied := r.firstForm(file, o.Ref()); applied != nil {
			o = applied
		}
		all = append(all, o)
	}
	slices.SortFunc(all, objects.Compare)
	return all
}

// IsTransformed reports whether a unit that reads a file changes names, namespaces, or objects.
func (r *Repository) IsTransformed(file string) bool {
	return slices.ContainsFunc(r.Units, func(u *objects.Unit) bool { return len(u.Transforms) > 0 && u.Reads(file) })
}

// objectsIn returns all objects of a file by their refs.
func (r *Repository) objectsIn(file string) map[string]*objects.Object {
	if objects, ok := r.objectsByFile[file]; ok {
		return objects
	}
	objs := map[string]*objects.Object{}
	if read, err := r.File(file); err == nil && read != nil {
		for _, doc := range read.Docs {
			if doc.Parse() != nil {
				continue
			}
			for _, o := range objects.AllObjects(doc) {
				objs[o.Ref()] = o
			}
		}
	}
	if r.objectsByFile == nil {
		r.objectsByFile = map[string]map[string]*objects.Object{}
	}
	r.objectsByFile[file] = objs
	return objs
}

// MeansNamesake reports whether a name in a file refers to a namesake of an object: one that is applied with the file while
// the object is not, or otherwise one that certainly lies nearer to the file.
func (r *Repository) MeansNamesake(o *objects.Object, file string) bool {
	namesakes := r.namesakes(o)
	if len(namesakes) < 2 {
		return false
	}
	var together []*objects.Object
	for _, unit := range r.UnitsOf(file) {
		if unit.Kind == objects.PlainUnit {
			continue
		}
		for _, other := range namesakes {
			if unit.Object(other.Ref()) != nil {
				together = append(together, other)
			}
		}
	}
	if len(together) > 0 {
		return !slices.Contains(together, o)
	}
	folders := objects.NewFolderIndex(namesakes)
	nearest := folders.Nearest(&objects.Object{File: file})
	if slices.Contains(nearest, o) {
		return false
	}
	beside := func(other *objects.Object) bool { return isBeside(path.Dir(other.File), path.Dir(file)) }
	return !slices.ContainsFunc(nearest, beside) || r.hasOwnExtension(o, folders)
}

// IsOfAnotherFolder reports whether an object is in another branch of folders than a file, with a separate extension: it is the
// object of that cluster, even if it is the nearest one for the file.
func (r *Repository) IsOfAnotherFolder(o *objects.Object, file string) bool {
	dir := path.Dir(o.File)
	return isBeside(dir, path.Dir(file)) && slices.ContainsFunc(r.extensionsIn(o.Namespace), func(extension *objects.Object) bool {
		return extension.File != file && !isBeside(dir, path.Dir(extension.File))
	})
}

// isBeside reports whether two folders are different branches, such as clusters/a and clusters/b. What is in one of them is the
// nearest for a file of the other, and yet a folder farther away, such as common, can hold what that file means.
func isBeside(dir, other string) bool {
	return dir != "." && other != "." && !strings.HasPrefix(dir+"/", other+"/") && !strings.HasPrefix(other+"/", dir+"/")
}

// hasOwnExtension reports whether an extension of the namespace of an object lies nearer to it than to its namesakes: it is the object
// of that cluster then, and not one that several clusters share.
func (r *Repository) hasOwnExtension(o *objects.Object, namesakes *objects.FolderIndex) bool {
	return slices.ContainsFunc(r.extensionsIn(o.Namespace), func(extension *objects.Object) bool {
		nearest := namesakes.Nearest(extension)
		return len(nearest) == 1 && nearest[0] == o
	})
}

// extensionsIn returns the extensions of all units that are installed in a namespace; all of them for "".
func (r *Repository) extensionsIn(namespace string) []*objects.Object {
	if r.extensions == nil {
		r.extensions = map[string][]*objects.Object{}
		group := olm.APIGroup
		for _, unit := range r.Units {
			for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
				r.extensions[""] = append(r.extensions[""], o)
				if e, ok := olm.ReadExtension(o.Node); ok && e.Namespace != "" {
					r.extensions[e.Namespace] = append(r.extensions[e.Namespace], o)
				}
			}
		}
	}
	return r.extensions[namespace]
}

// namesakes returns the objects of all units that can be confused with an object, including the object itself. The applied
// forms of one object count once.
func (r *Repository) namesakes(o *objects.Object) []*objects.Object {
	all := slices.Clone(r.confusable(o))
	for i, other := range all {
		if other.Ref() == o.Ref() {
			all[i] = o
		}
	}
	return all
}

// confusable is namesakes with any of the applied forms of each object. It is the same for all objects of a name, which can be one
// object in hundreds of overlays.
func (r *Repository) confusable(o *objects.Object) []*objects.Object {
	id := identity{group: o.Group, kind: o.Kind, namespace: o.Namespace, name: o.Name}
	if found, ok := r.sameName[id]; ok {
		return found
	}
	var all []*objects.Object
	for _, unit := range r.Units {
		all = append(all, unit.Namesakes(o)...)
	}
	slices.SortFunc(all, objects.Compare)
	all = slices.CompactFunc(all, func(a, b *objects.Object) bool { return a.Ref() == b.Ref() })
	if o.Name == "" { // only the object itself
		return all
	}
	if r.sameName == nil {
		r.sameName = map[identity][]*objects.Object{}
	}
	r.sameName[id] = all
	return all
}

// identity is what namesakes have in common.
type identity struct{ group, kind, namespace, name string }

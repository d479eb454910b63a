package reading

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// FormerObjects finds objects in the files of the base revision. Each file is read once, and only if a rule asks for it. Its methods
// are safe for concurrent use.
type FormerObjects struct {
	base             fs.FS
	changed, deleted map[string]bool
	// built returns the units of the base revision, none if they are not known. They are built if a rule asks for an object that they make.
	built func() []*objects.Unit

	mu    sync.Mutex
	files map[string]map[formerKey][]*objects.Object
}

type formerKey struct{ group, kind, namespace, name string }

// NewFormerObjects returns nil if a run is not limited to what changed since a base revision. Deleted are the files of the revision that are
// gone. Built can be nil.
func NewFormerObjects(base fs.FS, changed, deleted map[string]bool, built func() []*objects.Unit) *FormerObjects {
	if base == nil || changed == nil {
		return nil
	}
	if built == nil {
		built = func() []*objects.Unit { return nil }
	}
	return &FormerObjects{base: base, changed: changed, deleted: deleted, built: sync.OnceValue(built), files: map[string]map[formerKey][]*objects.Object{}}
}

// Of returns the manifest of an object, and the same object in this file at the base revision; if other files make the object, or change
// it, the object as its unit applies it, and as the unit applied it then. They are nil if it has not changed, or if that is not known.
func (f *FormerObjects) Of(unit *objects.Unit, o *objects.Object) (now, before *objects.Object) {
	if f == nil || o.Embedding != nil {
		return nil, nil
	}
	now = o.Source()
	if now == nil || !o.InFile() || f.transforms(unit) {
		return f.applied(unit, o)
	}
	if !f.changed[now.File] {
		return nil, nil
	}
	found := f.in(now.File)[keyOfFormer(now)]
	if len(found) != 1 { // of several, it is unknown which one became the object
		return nil, nil
	}
	return now, found[0]
}

// applied returns an object of a unit that reads a changed file, and the same object in the unit at the base revision.
func (f *FormerObjects) applied(unit *objects.Unit, o *objects.Object) (now, before *objects.Object) {
	if len(unit.ReadOf(f.changed)) == 0 {
		return nil, nil
	}
	for _, then := range f.built() {
		if then.Key() != unit.Key() {
			continue
		}
		group := o.Group
		found := then.Find(objects.Query{Group: &group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name})
		if len(found) == 1 && !reflect.DeepEqual(found[0].JSON(), o.JSON()) {
			return o, found[0]
		}
	}
	return nil, nil
}

// Removed returns the manifests of a kind, with a namespace and a name unless they are empty, that files had at the base revision, and that
// are in no file now. Those of which only the file is another one are not removed.
func (f *FormerObjects) Removed(units []*objects.Unit, group, kind, namespace, name string) []*objects.Object {
	if f == nil {
		return nil
	}
	var gone []*objects.Object
	for _, file := range slices.Sorted(maps.Keys(merged(f.changed, f.deleted))) {
		if !f.names(file, kind) {
			continue
		}
		for key, then := range f.in(file) {
			isAsked := key.group == group && key.kind == kind && (namespace == "" || key.namespace == namespace) && (name == "" || key.name == name)
			if isAsked && !isDefined(units, key) {
				gone = append(gone, then...)
			}
		}
	}
	slices.SortFunc(gone, func(a, b *objects.Object) int { return cmp.Compare(a.Ref(), b.Ref()) })
	return gone
}

// names reports whether a file of the base revision contains a word. Most files need not be parsed.
func (f *FormerObjects) names(file, word string) bool {
	data, err := fs.ReadFile(f.base, file)
	return err == nil && objects.IsManifestName(file) && bytes.Contains(data, []byte(word))
}

func merged(a, b map[string]bool) map[string]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// isDefined reports whether a file has an object, or a unit applies one of its name.
func isDefined(units []*objects.Unit, key formerKey) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		has := func(o *objects.Object) bool {
			return o != nil && o.Group == key.group && o.Kind == key.kind && o.Name == key.name
		}
		return slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return has(o) || has(o.Source()) })
	})
}

type transformsKey struct{}

// transforms reports whether a changed file can change how a unit transforms its objects: a kustomization, a patch, or a chart.
func (f *FormerObjects) transforms(unit *objects.Unit) bool {
	return unit.Cached(transformsKey{}, func() any {
		manifests := map[string]bool{}
		for _, source := range unit.AsWritten() {
			manifests[source.File] = true
		}
		for file := range f.changed {
			if !manifests[file] && unit.Reads(file) {
				return true
			}
		}
		return false
	}).(bool)
}

// in returns the objects of a file at the base revision; none if there is no such file, or if it cannot be parsed.
func (f *FormerObjects) in(file string) map[formerKey][]*objects.Object {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, known := f.files[file]
	if !known {
		found = map[formerKey][]*objects.Object{}
		for _, o := range f.read(file) {
			found[keyOfFormer(o)] = append(found[keyOfFormer(o)], o)
		}
		f.files[file] = found
	}
	return found
}

func (f *FormerObjects) read(file string) []*objects.Object {
	data, err := fs.ReadFile(f.base, file)
	if err != nil {
		return nil
	}
	return objectsIn(file, data)
}

// objectsIn returns the objects in the content of a file; none if a document cannot be parsed.
func objectsIn(file string, data []byte) []*objects.Object {
	var found [][]*objects.Object
	for _, doc := range manifest.Scan(file, data).Docs {
		if doc.Parse() != nil {
			return nil
		}
		found = append(found, objects.Objects(doc))
	}
	return slices.Concat(found...)
}

func keyOfFormer(o *objects.Object) formerKey {
	return formerKey{o.Group, o.Kind, o.Namespace, o.Name}
}

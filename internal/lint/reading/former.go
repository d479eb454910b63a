package reading

import (
	"io/fs"
	"slices"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// FormerObjects finds objects in the files of the base revision. Each file is read once, and only if a rule asks for it. Its methods
// are safe for concurrent use.
type FormerObjects struct {
	base    fs.FS
	changed map[string]bool

	mu    sync.Mutex
	files map[string]map[formerKey][]*objects.Object
}

type formerKey struct{ group, kind, namespace, name string }

// NewFormerObjects returns nil if a run is not limited to what changed since a base revision.
func NewFormerObjects(base fs.FS, changed map[string]bool) *FormerObjects {
	if base == nil || changed == nil {
		return nil
	}
	return &FormerObjects{base: base, changed: changed, files: map[string]map[formerKey][]*objects.Object{}}
}

// Of returns the manifest of an object, and the same object in this file at the base revision. They are nil if the manifest has not
// changed, or if its change does not show what changes on the cluster: other files make the object, or change it.
func (f *FormerObjects) Of(unit *objects.Unit, o *objects.Object) (now, before *objects.Object) {
	if f == nil || o.Embedding != nil || !o.InFile() {
		return nil, nil
	}
	now = o.Source()
	if now == nil || !f.changed[now.File] || f.transforms(unit) {
		return nil, nil
	}
	found := f.in(now.File)[keyOfFormer(now)]
	if len(found) != 1 { // of several, it is unknown which one became the object
		return nil, nil
	}
	return now, found[0]
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

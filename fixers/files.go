package fixers

import (
	"path"
	"reflect"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
)

// missingFrom lists the objects that a file salint generated earlier does not hold; all of them when there is no such file.
// A file of somebody else's is not written to.
func (c *Context) missingFrom(file string, objects []generated) ([]generated, error) {
	existing, err := c.file(file)
	if err != nil || existing == nil {
		return objects, err
	}
	own, err := generatedObjects(existing)
	if err != nil {
		return nil, err
	}
	var missing []generated
	for _, o := range objects {
		there, ok := own[o.identity()]
		switch {
		case !ok:
			missing = append(missing, o)
		case !o.sameAs(there):
			return nil, refuse("%s already has %s, which grants something else: mend or remove that first",
				there.Position(nil), o.identity())
		}
	}
	return missing, nil
}

// sameAs tells whether an object that is there does what the generated one would.
func (o generated) sameAs(there *objects.Object) bool {
	if o.RoleRef != nil {
		return o.grantsLike(there)
	}
	return reflect.DeepEqual(o.value()["rules"], there.JSON()["rules"])
}

// generatedObjects reads a file that salint generated. It is foreign when anything in it lacks the label.
func generatedObjects(file *manifest.File) (map[Identity]*objects.Object, error) {
	own := map[Identity]*objects.Object{}
	foreign := refuse("%s is already there and was not made by salint, so nothing is written to it: "+
		"rename it, or write the bindings by hand", file.Path)
	if len(file.Docs) == 0 {
		return nil, foreign
	}
	for _, doc := range file.Docs {
		if doc.Parse() != nil {
			return nil, foreign
		}
		objects := objects.Objects(doc)
		if len(objects) != 1 || !isGenerated(objects[0]) {
			return nil, foreign
		}
		own[identityOf(objects[0])] = objects[0]
	}
	return own, nil
}

// isGenerated tells whether salint generated an object.
func isGenerated(o *objects.Object) bool {
	return o.Node.Lookup(manifest.Path{"metadata", "labels", generate.ManagedByLabel}).String() == generate.ManagedBy
}

// listing is the entry of a kustomization for a file.
type listing struct {
	kustomization *objects.Kustomization
	entry         objects.Entry
}

// listings finds the entries of all kustomizations for a file.
func (c *Context) listings(file string) []listing {
	c.indexed.Do(c.index)
	return c.listed[file]
}

// listInKustomizations adds a new file to each kustomization that lists its neighbour, written as the neighbour is.
func (c *Context) listInKustomizations(p *Plan, neighbour, file string) error {
	for _, l := range c.listings(neighbour) {
		if _, already := l.kustomization.Lists(file); already {
			continue
		}
		if l.entry.Field == "components" {
			return refuse("%s lists %s as a component, which kustomize does not take for a file: correct that first",
				l.kustomization.Path, neighbour)
		}
		folder := l.entry.Value[:strings.LastIndexByte(l.entry.Value, '/')+1]
		p.Changes = append(p.Changes, Change{
			File: l.kustomization.Path, Document: l.kustomization.Doc.Index, Op: AppendItem,
			Path: l.entry.Path[:1].Join(), Value: folder + path.Base(file), Order: repo.OrderKustomization,
		})
	}
	return nil
}

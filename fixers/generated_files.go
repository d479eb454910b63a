package fixers

import (
	"crypto/sha256"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
)

// Endings of the names of generated files, behind the name of the extension.
const (
	syntheticFile = "-synthetic-rbac.yaml"
	installerFile = "-installer.yaml"
	finalizerFile = "-finalizers-rbac.yaml"
	accountFile   = "-installer-rbac.yaml"
)

// maxFileStem keeps generated file names within what file systems take, also while they have the ending of a file that is being
// written. What is cut gets a hash, so that no two extensions share a name.
const maxFileStem = 160

func fileStem(name string) string {
	if len(name) <= maxFileStem {
		return name
	}
	hash := fmt.Sprintf("-%x", sha256.Sum256([]byte(name)))[:9]
	return name[:maxFileStem-len(hash)] + hash
}

// appliedName is the name that an object which is generated for the extension is applied under.
func (e *variant) appliedName(name string) string {
	if e.root == nil {
		return name
	}
	fields := e.root.Doc.Root
	return fields.Get("namePrefix").String() + name + fields.Get("nameSuffix").String()
}

// generatedFile is the path of a generated file beside the extension's, or the kustomization that it is meant for.
func generatedFile(e *variant, ending string) string {
	stem := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, e.Name)
	stem = strings.TrimLeft(stem, ".-")
	dir := path.Dir(e.object.File)
	if e.root != nil {
		dir = e.root.Dir
	}
	return path.Join(dir, fileStem(stem)+ending)
}

// addGenerated adds generated objects to the plan: to the Template around the extension, else to a file beside it, which the
// kustomizations that list the extension's file list too. What is meant for one unit alone goes beside the kustomization at
// its root.
func addGenerated(c *Context, p *Plan, e *variant, objects []generated, ending string) error {
	if len(objects) == 0 {
		return nil
	}
	if list, ok := openShiftTemplate(e.object); ok {
		return addToTemplate(c, p, e, objects, list)
	}
	file := generatedFile(e, ending)
	missing, err := missingFrom(c, file, objects)
	if err != nil {
		return err
	}
	for _, o := range missing {
		p.Documents = append(p.Documents, Document{File: file, Object: o.identity(), Text: o.text(), CRLF: usesCRLF(e)})
		for _, unit := range e.units {
			if mayBeBuilt(unit) {
				p.Added = append(p.Added, AppliedObject{Unit: unit, JSON: e.builtValue(o, objects), Affixed: true})
			}
		}
	}
	if e.root == nil {
		return c.Repo.listInKustomizations(p, e.object.File, file)
	}
	if _, already := e.root.Lists(file); !already {
		p.appendToKustomization(e.root, "resources", path.Base(file), repo.OrderKustomization)
	}
	return nil
}

// builtValue is a generated object as it is built, but for its own name: where the role that it refers to is generated with it,
// kustomize changes both names alike.
func (e *variant) builtValue(o generated, all []generated) map[string]any {
	isReferred := func(role generated) bool { return role.Kind == o.RoleRef.Kind && role.Metadata.Name == o.RoleRef.Name }
	if o.RoleRef != nil && slices.ContainsFunc(all, isReferred) {
		ref := *o.RoleRef
		ref.Name = e.appliedName(ref.Name)
		o.RoleRef = &ref
	}
	return o.value()
}

// addToTemplate adds generated objects to the list of an OpenShift Template.
func addToTemplate(c *Context, p *Plan, e *variant, objects []generated, list manifest.Path) error {
	for _, unit := range e.units {
		if unit.Built || e.root != nil {
			return refuse("%s builds the Template at %s, and what would be added to it cannot be proven: bind the roles by hand",
				unit, e.object.Position(nil))
		}
	}
	for _, o := range objects {
		p.addChange(e.object, Change{Op: AppendItem, Path: list, Value: o.value(), Order: repo.OrderGrant})
	}
	return nil
}

// usesCRLF tells whether the first line of the file beside which something is generated ends as on Windows.
func usesCRLF(e *variant) bool {
	file := e.object.Doc.File
	if e.root != nil {
		file = e.root.Doc.File
	}
	first, _, _ := strings.Cut(string(file.Data), "\n")
	return strings.HasSuffix(first, "\r")
}

// missingFrom lists the objects that a file salint generated earlier does not hold; all of them when there is no such file.
// A file of somebody else's is not written to.
func missingFrom(c *Context, file string, objects []generated) ([]generated, error) {
	existing, err := c.Repo.file(file)
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

// openShiftTemplate gives the path of the objects of the OpenShift Template around an object; ok is false outside of one.
func openShiftTemplate(o *objects.Object) (objects manifest.Path, ok bool) {
	for i := len(o.Path) - 1; i >= 0; i-- {
		around := o.Doc.Root.Lookup(o.Path[:i])
		if o.Path[i] == "objects" && around.Get("kind").String() == "Template" {
			return o.Path[:i+1].Join(), true
		}
	}
	return nil, false
}

package identity

import (
	"crypto/sha256"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
)

// Endings of the names of generated files, behind the name of the extension.
const (
	SyntheticFile = "-synthetic-rbac.yaml"
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
func (e *Variant) appliedName(name string) string {
	if e.root == nil {
		return name
	}
	fields := e.root.Doc.Root
	return fields.Get("namePrefix").String() + name + fields.Get("nameSuffix").String()
}

// GeneratedFile is the path of a generated file beside the extension's, or the kustomization that it is meant for.
func GeneratedFile(e *Variant, ending string) string {
	stem := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, e.Name)
	stem = strings.TrimLeft(stem, ".-")
	dir := path.Dir(e.Object.File)
	if e.root != nil {
		dir = e.root.Dir
	}
	return path.Join(dir, fileStem(stem)+ending)
}

// addGenerated adds generated objects to the plan: to the Template around the extension, else to a file beside it, which the
// kustomizations that list the extension's file list too. What is meant for one unit alone goes beside the kustomization at
// its root.
func addGenerated(c *engine.Context, p *engine.Plan, e *Variant, objects []Generated, ending string) error {
	if len(objects) == 0 {
		return nil
	}
	if list, ok := openShiftTemplate(e.Object); ok {
		return addToTemplate(c, p, e, objects, list)
	}
	file := GeneratedFile(e, ending)
	missing, err := missingFrom(c, file, objects)
	if err != nil {
		return err
	}
	for _, o := range missing {
		p.Documents = append(p.Documents, engine.Document{File: file, Object: o.Identity(), Text: o.Text(), CRLF: usesCRLF(e)})
		for _, unit := range e.Units {
			if engine.MayBeBuilt(unit) {
				p.Added = append(p.Added, engine.AppliedObject{Unit: unit, JSON: e.builtValue(o, objects), Affixed: true})
			}
		}
	}
	if e.root == nil {
		return c.Repo.ListInKustomizations(p, e.Object.File, file)
	}
	if _, already := e.root.Lists(file); !already {
		p.AppendToKustomization(e.root, "resources", path.Base(file), repo.OrderKustomization)
	}
	return nil
}

// builtValue is a generated object as it is built, but for its own name: where the role that it refers to is generated with it,
// kustomize changes both names alike.
func (e *Variant) builtValue(o Generated, all []Generated) map[string]any {
	isReferred := func(role Generated) bool { return role.Kind == o.RoleRef.Kind && role.Metadata.Name == o.RoleRef.Name }
	if o.RoleRef != nil && slices.ContainsFunc(all, isReferred) {
		ref := *o.RoleRef
		ref.Name = e.appliedName(ref.Name)
		o.RoleRef = &ref
	}
	return o.Value()
}

// addToTemplate adds generated objects to the list of an OpenShift Template.
func addToTemplate(c *engine.Context, p *engine.Plan, e *Variant, objects []Generated, list manifest.Path) error {
	for _, unit := range e.Units {
		if unit.Built || e.root != nil {
			return engine.Refuse("%s builds the Template at %s, so the effect of additional objects cannot be proven: bind "+
				"the roles by hand",
				unit, e.Object.Position(nil))
		}
	}
	for _, o := range objects {
		p.AddChange(e.Object, engine.Change{Op: engine.AppendItem, Path: list, Value: o.Value(), Order: repo.OrderGrant})
	}
	return nil
}

// usesCRLF tells whether the first line of the file beside which something is generated ends as on Windows.
func usesCRLF(e *Variant) bool {
	file := e.Object.Doc.File
	if e.root != nil {
		file = e.root.Doc.File
	}
	first, _, _ := strings.Cut(string(file.Data), "\n")
	return strings.HasSuffix(first, "\r")
}

// missingFrom lists the objects that a file salint generated earlier does not hold; all of them when there is no such file.
// A file of somebody else's is not written to.
func missingFrom(c *engine.Context, file string, objects []Generated) ([]Generated, error) {
	existing, err := c.Repo.File(file)
	if err != nil || existing == nil {
		return objects, err
	}
	own, err := generatedObjects(existing)
	if err != nil {
		return nil, err
	}
	var missing []Generated
	for _, o := range objects {
		there, ok := own[o.Identity()]
		switch {
		case !ok:
			missing = append(missing, o)
		case !o.sameAs(there):
			return nil, engine.Refuse("%s already has %s, which grants something else: correct or remove it first",
				there.Position(nil), o.Identity())
		}
	}
	return missing, nil
}

// sameAs tells whether an object that is there does what the generated one would.
func (o Generated) sameAs(there *objects.Object) bool {
	if o.RoleRef != nil {
		return o.grantsLike(there)
	}
	return reflect.DeepEqual(o.Value()["rules"], there.JSON()["rules"])
}

// generatedObjects reads a file that salint generated. It is foreign when anything in it lacks the label.
func generatedObjects(file *manifest.File) (map[engine.ObjectName]*objects.Object, error) {
	own := map[engine.ObjectName]*objects.Object{}
	foreign := engine.Refuse("salint did not generate %s, so it is not changed: rename the file, or write the bindings by "+
		"hand", file.Path)
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
		own[engine.NameOf(objects[0])] = objects[0]
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

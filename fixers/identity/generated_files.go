package identity

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The endings of the names of generated files, after the name of the extension.
const (
	SyntheticFile = "-synthetic-rbac.yaml"
	installerFile = "-installer.yaml"
	finalizerFile = "-finalizers-rbac.yaml"
	accountFile   = "-installer-rbac.yaml"
)

// maxFileStem keeps the names of generated files short enough for file systems, even with the temporary ending of a file
// while it is written. A shortened name gets a hash, so that no two extensions share a name.
const maxFileStem = 160

func fileStem(name string) string {
	if len(name) <= maxFileStem {
		return name
	}
	hash := fmt.Sprintf("-%x", sha256.Sum256([]byte(name)))[:9]
	return name[:maxFileStem-len(hash)] + hash
}

// appliedName returns the name under which an object is applied that is generated for the extension.
func (v *Variant) appliedName(name string) string {
	if v.root == nil {
		return name
	}
	fields := v.root.Doc.Root
	return fields.Get("namePrefix").String() + name + fields.Get("nameSuffix").String()
}

// GeneratedFile returns the path of a generated file, beside the file of the extension or the kustomization of its unit.
func GeneratedFile(v *Variant, ending string) string {
	stem := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, variable().ReplaceAllStringFunc(v.nameInFile(), func(of string) string { return of[2 : len(of)-1] }))
	stem = strings.TrimLeft(stem, ".-")
	dir := path.Dir(v.Object.File)
	if v.root != nil {
		dir = v.root.Dir
	}
	return path.Join(dir, fileStem(stem)+ending)
}

// addGenerated adds generated objects to the plan: to the OpenShift Template of the extension, or to a file beside its file,
// which is added to the kustomizations that list the file of the extension. Objects for a single unit go beside the
// kustomization at its root.
func addGenerated(c *engine.Context, p *engine.Plan, v *Variant, objects []Generated, ending string) error {
	if len(objects) == 0 {
		return nil
	}
	if list, ok := openShiftTemplate(v.Object); ok {
		return addToTemplate(c, p, v, objects, list)
	}
	file := GeneratedFile(v, ending)
	missing, err := missingFrom(c, v, file, objects)
	if err != nil {
		return err
	}
	at := placedByName(c, v, missing)
	for i, beside := range at.files {
		addObject(p, v, beside, missing[i], objects)
	}
	if at.files != nil {
		return nil
	}
	if err := at.declareUnapplied(p, file); err != nil {
		return err
	}
	declareUnlisted(p, v, file, missing, objects)
	if err := checkSharedFile(p, v, file, missing, objects); err != nil {
		return err
	}
	for _, o := range missing {
		addObject(p, v, file, o, objects)
	}
	if v.root == nil {
		return c.ListInKustomizations(p, v.Object.File, file)
	}
	if _, already := v.root.Lists(file); !already {
		p.AppendToKustomization(v.root, "resources", path.Base(file), commit.OrderKustomization)
	}
	return nil
}

// declareUnlisted declares the objects that the file has already, in the units that do not apply them yet: a run that was interrupted
// writes the file before the kustomizations that list it.
func declareUnlisted(p *engine.Plan, v *Variant, file string, missing, all []Generated) {
	for _, o := range all {
		if slices.ContainsFunc(missing, func(m Generated) bool { return m.ObjectName() == o.ObjectName() }) {
			continue
		}
		for _, unit := range v.Units {
			if engine.MayBeBuilt(unit) && !slices.ContainsFunc(unit.AsWritten(), func(has *objects.Object) bool { return has.File == file }) {
				p.Added = append(p.Added, engine.AppliedObject{Unit: unit, JSON: v.builtValue(o, all), Affixed: true})
			}
		}
	}
}

// addObject adds a generated object to a file, and declares it in the units that are built. all are the objects that are
// generated together.
func addObject(p *engine.Plan, v *Variant, file string, o Generated, all []Generated) {
	if d := v.document(file, o, all); !slices.Contains(p.Documents, d) {
		p.Documents = append(p.Documents, d)
	}
	for _, unit := range v.Units {
		if engine.MayBeBuilt(unit) {
			p.Added = append(p.Added, engine.AppliedObject{Unit: unit, JSON: v.builtValue(o, all), Affixed: true})
		}
	}
}

// builtValue returns a generated object as it is built, except for its name. If the role or the account that it refers to is
// generated too, kustomize changes the reference together with the name.
func (v *Variant) builtValue(o Generated, all []Generated) map[string]any {
	if len(o.Subjects) == 1 && o.Subjects[0].Kind == rbac.KindServiceAccount {
		isBound := func(account Generated) bool {
			return account.Kind == rbac.KindServiceAccount && account.Metadata.Name == o.Subjects[0].Name
		}
		if slices.ContainsFunc(all, isBound) {
			subject := o.Subjects[0]
			subject.Name = v.appliedName(subject.Name)
			o.Subjects = []generate.Reference{subject}
		}
	}
	if o.RoleRef != nil && o.refersToOneOf(all) {
		ref := *o.RoleRef
		ref.Name = v.appliedName(ref.Name)
		o.RoleRef = &ref
	}
	return o.Value()
}

// refersToOneOf reports whether a binding refers to one of some generated roles.
func (o Generated) refersToOneOf(all []Generated) bool {
	return slices.ContainsFunc(all, func(role Generated) bool { return role.Kind == o.RoleRef.Kind && role.Metadata.Name == o.RoleRef.Name })
}

// addToTemplate adds generated objects to the list of an OpenShift Template.
func addToTemplate(c *engine.Context, p *engine.Plan, v *Variant, objects []Generated, list manifest.Path) error {
	for _, unit := range v.Units {
		if unit.Built || v.root != nil {
			return engine.Refuse("%s builds the Template at %s, so the effect of additional objects cannot be proven: bind "+
				"the roles by hand",
				unit, v.Object.Position(nil))
		}
	}
	for _, o := range objects {
		p.AddChange(v.Object, engine.Change{Op: engine.AppendItem, Path: list, Value: o.Value(), Order: commit.OrderGrant})
	}
	return nil
}

// usesCRLF reports whether the file beside which objects are generated has the line ends of Windows.
func usesCRLF(v *Variant) bool {
	first, _, _ := bytes.Cut(v.neighbor().Data, []byte("\n"))
	return bytes.HasSuffix(first, []byte("\r"))
}

// lacksFinalBreak reports whether the file beside which objects are generated has no line break at its end.
func lacksFinalBreak(v *Variant) bool {
	data := v.neighbor().Data
	return len(data) > 0 && data[len(data)-1] != '\n'
}

// neighbor is the file beside which objects are generated.
func (v *Variant) neighbor() *manifest.File {
	if v.root != nil {
		return v.root.Doc.File
	}
	return v.Object.Doc.File
}

// missingFrom returns the objects that a file does not have which salint generated earlier; all of them if there is no such
// file. It refuses a file that salint did not generate.
func missingFrom(c *engine.Context, v *Variant, file string, objects []Generated) ([]Generated, error) {
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
		written := v.inFile(o, objects)
		there, ok := own[written.ObjectName()]
		switch {
		case !ok:
			missing = append(missing, o)
		case !written.sameAs(there):
			return nil, engine.Refuse("%s already has %s, which grants something else: correct or remove it first",
				there.Position(nil), o.ObjectName())
		}
	}
	return missing, nil
}

// sameAs reports whether an existing object has the effect of the generated one.
func (o Generated) sameAs(there *objects.Object) bool {
	if o.RoleRef != nil {
		return o.grantsLike(there)
	}
	return reflect.DeepEqual(o.Value()["rules"], there.JSON()["rules"])
}

// generatedObjects returns the objects of a file that salint generated. It refuses a file in which any object lacks the
// label.
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

// isGenerated reports whether salint generated an object.
func isGenerated(o *objects.Object) bool {
	return o.Node.Lookup(manifest.Path{"metadata", "labels", generate.ManagedByLabel}).String() == generate.ManagedBy
}

// openShiftTemplate returns the path of the list of objects in the OpenShift Template around an object; ok is false if there
// is no Template.
func openShiftTemplate(o *objects.Object) (objects manifest.Path, ok bool) {
	for i := len(o.Path) - 1; i >= 0; i-- {
		around := o.Doc.Root.Lookup(o.Path[:i])
		if o.Path[i] == "objects" && around.Get("kind").String() == "Template" {
			return o.Path[:i+1].Join(), true
		}
	}
	return nil, false
}

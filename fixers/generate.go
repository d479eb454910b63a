package fixers

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// generated is an object to be written.
type generated generate.Object

const rbacVersion = rbac.Group + "/v1"

// newObject is an object with what all generated ones have.
func newObject(e *variant, apiVersion, kind, namespace, name string) generated {
	return generated{APIVersion: apiVersion, Kind: kind, Metadata: generate.Metadata{
		Name: name, Namespace: namespace,
		Labels:      map[string]string{generate.ManagedByLabel: generate.ManagedBy},
		Annotations: generate.OrderAnnotations(e.object),
	}}
}

// newBinding binds the role of a grant to a subject. The name is left open.
func newBinding(e *variant, g rbac.Grant, to rbac.Subject) generated {
	kind := "ClusterRoleBinding"
	if g.Scope != "" {
		kind = "RoleBinding"
	}
	o := newObject(e, rbacVersion, kind, g.Scope, "")
	o.RoleRef = &generate.Reference{APIGroup: rbac.Group, Kind: g.Role.Kind, Name: g.Role.Name}
	subject := generate.Reference{Kind: to.Kind, Name: to.Name, Namespace: to.Namespace}
	if to.Kind != rbac.KindServiceAccount {
		subject.APIGroup = rbac.Group
	}
	o.Subjects = []generate.Reference{subject}
	return o
}

func (o generated) identity() Identity {
	group, _ := objects.SplitAPIVersion(o.APIVersion)
	return Identity{group, o.Kind, o.Metadata.Namespace, o.Metadata.Name}
}

// text writes the object as YAML.
func (o generated) text() string {
	text, err := yaml.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("%s cannot be written: %v", o.identity(), err)) // strings, maps and slices always can
	}
	return string(text)
}

// value is the object as the editor takes it.
func (o generated) value() map[string]any {
	value := map[string]any{}
	if err := yaml.Unmarshal([]byte(o.text()), &value); err != nil {
		panic(fmt.Sprintf("%s cannot be read back: %v", o.identity(), err))
	}
	return value
}

// nameKey is a name that was generated for a unit.
type nameKey struct {
	unit *objects.Unit
	Identity
}

// bindingsFor generates a binding for each grant. Its name is made of the extension and the role; where that name is taken by
// something else, a hash tells them apart.
func (c *Context) bindingsFor(e *variant, grants []rbac.Grant, to rbac.Subject) []generated {
	var bindings []generated
	for _, g := range grants {
		b := newBinding(e, g, to)
		b.Metadata.Name = olm.BindingName(e.Name, g.Role.Name)
		if c.isNameTaken(e, b) {
			b.Metadata.Name = olm.UniqueBindingName(e.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
		}
		c.reserveName(e, b)
		bindings = append(bindings, b)
	}
	slices.SortFunc(bindings, func(a, b generated) int {
		return strings.Compare(a.Metadata.Namespace+"\x00"+a.Metadata.Name, b.Metadata.Namespace+"\x00"+b.Metadata.Name)
	})
	return bindings
}

// isNameTaken tells whether something else has the name, in the repository or among what this run generates.
func (c *Context) isNameTaken(e *variant, o generated) bool {
	id := o.identity()
	for _, unit := range e.units {
		if other, ok := c.generatedNames[nameKey{unit, id}]; ok && other != o.grantText() {
			return true
		}
		for _, other := range unit.Find(objects.Query{Group: &id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: e.appliedName(id.Name)}) {
			if !o.grantsLike(other) {
				return true
			}
		}
	}
	return false
}

func (c *Context) reserveName(e *variant, o generated) {
	if c.generatedNames == nil {
		c.generatedNames = map[nameKey]string{}
	}
	for _, unit := range e.units {
		c.generatedNames[nameKey{unit, o.identity()}] = o.grantText()
	}
}

// grantText is who is granted what, without metadata.
func (o generated) grantText() string {
	return fmt.Sprintf("%+v %+v %+v", o.Rules, o.RoleRef, o.Subjects)
}

// grantsLike tells whether an object grants the same to the same and to nobody else.
func (o generated) grantsLike(other *objects.Object) bool {
	ref, subjects := other.Node.Get("roleRef"), other.Node.Get("subjects")
	subject := subjects.Lookup(manifest.Path{"0"})
	want := o.Subjects[0]
	return ref.Get("kind").String() == o.RoleRef.Kind && ref.Get("name").String() == o.RoleRef.Name &&
		subjects.Lookup(manifest.Path{"1"}) == nil &&
		subject.Get("kind").String() == want.Kind && subject.Get("name").String() == want.Name &&
		subject.Get("namespace").String() == want.Namespace
}

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
func (c *Context) addGenerated(p *Plan, e *variant, objects []generated, ending string) error {
	if len(objects) == 0 {
		return nil
	}
	if list, ok := openShiftTemplate(e.object); ok {
		return c.addToTemplate(p, e, objects, list)
	}
	file := generatedFile(e, ending)
	missing, err := c.missingFrom(file, objects)
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
		return c.listInKustomizations(p, e.object.File, file)
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
func (c *Context) addToTemplate(p *Plan, e *variant, objects []generated, list manifest.Path) error {
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

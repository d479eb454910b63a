package fixers

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
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

// reservedNames are the names under which this run generates objects, each with what the object grants.
type reservedNames map[nameKey]string

func reservedIn(c *Context) reservedNames {
	return memo(c, func(*Context) reservedNames { return reservedNames{} })
}

// nameKey is a name that was generated for a unit.
type nameKey struct {
	unit *objects.Unit
	Identity
}

// bindingsFor generates a binding for each grant. Its name is made of the extension and the role; where that name is taken by
// something else, a hash tells them apart.
func bindingsFor(c *Context, e *variant, grants []rbac.Grant, to rbac.Subject) []generated {
	var bindings []generated
	for _, g := range grants {
		b := newBinding(e, g, to)
		b.Metadata.Name = olm.BindingName(e.Name, g.Role.Name)
		if isNameTaken(c, e, b) {
			b.Metadata.Name = olm.UniqueBindingName(e.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
		}
		reserveName(c, e, b)
		bindings = append(bindings, b)
	}
	slices.SortFunc(bindings, func(a, b generated) int {
		return strings.Compare(a.Metadata.Namespace+"\x00"+a.Metadata.Name, b.Metadata.Namespace+"\x00"+b.Metadata.Name)
	})
	return bindings
}

// isNameTaken tells whether something else has the name, in the repository or among what this run generates.
func isNameTaken(c *Context, e *variant, o generated) bool {
	id := o.identity()
	for _, unit := range e.units {
		if other, ok := reservedIn(c)[nameKey{unit, id}]; ok && other != o.grantText() {
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

func reserveName(c *Context, e *variant, o generated) {
	reserved := reservedIn(c)
	for _, unit := range e.units {
		reserved[nameKey{unit, o.identity()}] = o.grantText()
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

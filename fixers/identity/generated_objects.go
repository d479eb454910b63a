package identity

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Generated is an object to write.
type Generated generate.Object

const rbacVersion = rbac.Group + "/v1"

// newObject returns an object with the metadata of all generated objects.
func newObject(e *Variant, apiVersion, kind, namespace, name string) Generated {
	return Generated{APIVersion: apiVersion, Kind: kind, Metadata: generate.Metadata{
		Name: name, Namespace: namespace,
		Labels:      map[string]string{generate.ManagedByLabel: generate.ManagedBy},
		Annotations: generate.OrderAnnotations(e.Object),
	}}
}

// NewBinding returns a binding of the role of a grant to a subject, without a name.
func NewBinding(e *Variant, g rbac.Grant, to rbac.Subject) Generated {
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

// ObjectName returns the group, kind, namespace, and name of the object.
func (o Generated) ObjectName() engine.ObjectName {
	group, _ := objects.SplitAPIVersion(o.APIVersion)
	return engine.ObjectName{Group: group, Kind: o.Kind, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}
}

// Text returns the object as YAML.
func (o Generated) Text() string {
	text, err := yaml.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("%s cannot be written: %v", o.ObjectName(), err)) // strings, maps, and slices can always be written
	}
	return string(text)
}

// Value returns the object in the form of the editor.
func (o Generated) Value() map[string]any {
	value := map[string]any{}
	if err := yaml.Unmarshal([]byte(o.Text()), &value); err != nil {
		panic(fmt.Sprintf("%s cannot be read back: %v", o.ObjectName(), err))
	}
	return value
}

// reservedNames are the names under which this run generates objects, with what these objects grant.
type reservedNames map[nameKey]string

func reservedIn(c *engine.Context) reservedNames {
	return engine.Memo(c, func(*engine.Context) reservedNames { return reservedNames{} })
}

// nameKey is a name in a unit.
type nameKey struct {
	unit *objects.Unit
	engine.ObjectName
}

// bindingsFor generates a binding for each grant. Its name consists of the extension and the role. If that name is taken by
// another object, a hash is added.
func bindingsFor(c *engine.Context, e *Variant, grants []rbac.Grant, to rbac.Subject) []Generated {
	var bindings []Generated
	for _, g := range grants {
		b := NewBinding(e, g, to)
		b.Metadata.Name = olm.BindingName(e.Name, g.Role.Name)
		if IsNameTaken(c, e, b) {
			b.Metadata.Name = olm.UniqueBindingName(e.Name, g.Role.Name, g.Role.Kind, to.Kind, to.Namespace, to.Name)
		}
		ReserveName(c, e, b)
		bindings = append(bindings, b)
	}
	slices.SortFunc(bindings, func(a, b Generated) int {
		return strings.Compare(a.Metadata.Namespace+"\x00"+a.Metadata.Name, b.Metadata.Namespace+"\x00"+b.Metadata.Name)
	})
	return bindings
}

// IsNameTaken reports whether another object has the name, in the repository or among the objects that this run generates.
func IsNameTaken(c *engine.Context, e *Variant, o Generated) bool {
	id := o.ObjectName()
	for _, unit := range e.Units {
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

// ReserveName records that this run generates an object, so that no other object gets its name.
func ReserveName(c *engine.Context, e *Variant, o Generated) {
	reserved := reservedIn(c)
	for _, unit := range e.Units {
		reserved[nameKey{unit, o.ObjectName()}] = o.grantText()
	}
}

// grantText returns who is granted what, without the metadata.
func (o Generated) grantText() string {
	return fmt.Sprintf("%+v %+v %+v", o.Rules, o.RoleRef, o.Subjects)
}

// grantsLike reports whether an object grants the same role to the same subject and to no other.
func (o Generated) grantsLike(other *objects.Object) bool {
	ref, subjects := other.Node.Get("roleRef"), other.Node.Get("subjects")
	subject := subjects.Lookup(manifest.Path{"0"})
	want := o.Subjects[0]
	return ref.Get("kind").String() == o.RoleRef.Kind && ref.Get("name").String() == o.RoleRef.Name &&
		subjects.Lookup(manifest.Path{"1"}) == nil &&
		subject.Get("kind").String() == want.Kind && subject.Get("name").String() == want.Name &&
		subject.Get("namespace").String() == want.Namespace
}

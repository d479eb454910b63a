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

// Generated is an object to be written.
type Generated generate.Object

const rbacVersion = rbac.Group + "/v1"

// newObject is an object with what all generated ones have.
func newObject(e *Variant, apiVersion, kind, namespace, name string) Generated {
	return Generated{APIVersion: apiVersion, Kind: kind, Metadata: generate.Metadata{
		Name: name, Namespace: namespace,
		Labels:      map[string]string{generate.ManagedByLabel: generate.ManagedBy},
		Annotations: generate.OrderAnnotations(e.Object),
	}}
}

// NewBinding binds the role of a grant to a subject. The name is left open.
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

func (o Generated) Identity() engine.ObjectName {
	group, _ := objects.SplitAPIVersion(o.APIVersion)
	return engine.ObjectName{Group: group, Kind: o.Kind, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name}
}

// Text writes the object as YAML.
func (o Generated) Text() string {
	text, err := yaml.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("%s cannot be written: %v", o.Identity(), err)) // strings, maps and slices always can
	}
	return string(text)
}

// Value is the object as the editor takes it.
func (o Generated) Value() map[string]any {
	value := map[string]any{}
	if err := yaml.Unmarshal([]byte(o.Text()), &value); err != nil {
		panic(fmt.Sprintf("%s cannot be read back: %v", o.Identity(), err))
	}
	return value
}

// reservedNames are the names under which this run generates objects, each with what the object grants.
type reservedNames map[nameKey]string

func reservedIn(c *engine.Context) reservedNames {
	return engine.Memo(c, func(*engine.Context) reservedNames { return reservedNames{} })
}

// nameKey is a name that was generated for a unit.
type nameKey struct {
	unit *objects.Unit
	engine.ObjectName
}

// bindingsFor generates a binding for each grant. Its name is made of the extension and the role; where that name is taken by
// something else, a hash tells them apart.
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

// IsNameTaken tells whether something else has the name, in the repository or among what this run generates.
func IsNameTaken(c *engine.Context, e *Variant, o Generated) bool {
	id := o.Identity()
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

func ReserveName(c *engine.Context, e *Variant, o Generated) {
	reserved := reservedIn(c)
	for _, unit := range e.Units {
		reserved[nameKey{unit, o.Identity()}] = o.grantText()
	}
}

// grantText is who is granted what, without metadata.
func (o Generated) grantText() string {
	return fmt.Sprintf("%+v %+v %+v", o.Rules, o.RoleRef, o.Subjects)
}

// grantsLike tells whether an object grants the same to the same and to nobody else.
func (o Generated) grantsLike(other *objects.Object) bool {
	ref, subjects := other.Node.Get("roleRef"), other.Node.Get("subjects")
	subject := subjects.Lookup(manifest.Path{"0"})
	want := o.Subjects[0]
	return ref.Get("kind").String() == o.RoleRef.Kind && ref.Get("name").String() == o.RoleRef.Name &&
		subjects.Lookup(manifest.Path{"1"}) == nil &&
		subject.Get("kind").String() == want.Kind && subject.Get("name").String() == want.Name &&
		subject.Get("namespace").String() == want.Namespace
}

package preflight

import (
	"bytes"
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm"
	"github.com/salint/salint/internal/rbac"
)

// Labels of generated objects.
const (
	managedByLabel = "app.kubernetes.io/managed-by"
	managedBy      = "salint"
)

// object is an object to be written, in the order in which people write its fields.
type object struct {
	APIVersion string      `yaml:"apiVersion"`
	Kind       string      `yaml:"kind"`
	Metadata   metadata    `yaml:"metadata"`
	Rules      []rule      `yaml:"rules,omitempty"`
	RoleRef    *reference  `yaml:"roleRef,omitempty"`
	Subjects   []reference `yaml:"subjects,omitempty"`
}

type metadata struct {
	Name      string            `yaml:"name"`
	Namespace string            `yaml:"namespace,omitempty"`
	Labels    map[string]string `yaml:"labels"`
}

type rule struct {
	APIGroups       []string `yaml:"apiGroups,omitempty,flow"`
	Resources       []string `yaml:"resources,omitempty,flow"`
	ResourceNames   []string `yaml:"resourceNames,omitempty,flow"`
	NonResourceURLs []string `yaml:"nonResourceURLs,omitempty,flow"`
	Verbs           []string `yaml:"verbs,flow"`
}

type reference struct {
	APIGroup  string `yaml:"apiGroup,omitempty"`
	Kind      string `yaml:"kind"`
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace,omitempty"`
}

// Manifests writes the roles and bindings that grant an identity what is missing, and nothing more: a ClusterRole and its
// binding for the whole cluster, and a Role and its binding for each namespace, all of one name. Where the unit has an
// object of that name, which the new one would overwrite, a hash of what is granted is added to it. Applying them closes
// the gap. With nothing missing there is nothing to write.
func Manifests(u *inventory.Unit, extension string, who rbac.Identity, missing []Scoped) []byte {
	grants := Grant(missing)
	name := olm.BindingName(extension, "preflight")
	if taken(u, name) {
		name = olm.UniqueBindingName(extension, "preflight", fmt.Sprintf("%q %q", who.User, grants))
	}
	var out bytes.Buffer
	for _, grant := range grants {
		for _, o := range grantObjects(name, grant, SubjectOf(who)) {
			text, err := yaml.Marshal(o)
			if err != nil {
				panic(fmt.Sprintf("%s %s cannot be written: %v", o.Kind, name, err)) // strings and lists always can
			}
			if out.Len() > 0 {
				out.WriteString("---\n")
			}
			out.Write(text)
		}
	}
	return out.Bytes()
}

func grantObjects(name string, grant Scoped, to rbac.Subject) []object {
	roleKind, bindingKind := "ClusterRole", "ClusterRoleBinding"
	if grant.Namespace != "" {
		roleKind, bindingKind = "Role", "RoleBinding"
	}
	role, binding := newObject(roleKind, grant.Namespace, name), newObject(bindingKind, grant.Namespace, name)
	for _, r := range grant.Rules {
		role.Rules = append(role.Rules, rule{
			APIGroups: r.APIGroups, Resources: r.Resources, ResourceNames: r.ResourceNames,
			NonResourceURLs: r.NonResourceURLs, Verbs: r.Verbs,
		})
	}
	binding.RoleRef = &reference{APIGroup: rbac.Group, Kind: roleKind, Name: name}
	subject := reference{Kind: to.Kind, Name: to.Name, Namespace: to.Namespace}
	if to.Kind != rbac.KindServiceAccount {
		subject.APIGroup = rbac.Group
	}
	binding.Subjects = []reference{subject}
	return []object{role, binding}
}

func newObject(kind, namespace, name string) object {
	return object{
		APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind,
		Metadata: metadata{Name: name, Namespace: namespace, Labels: map[string]string{managedByLabel: managedBy}},
	}
}

// taken tells whether a role or binding of the unit has the name, in any namespace.
func taken(u *inventory.Unit, name string) bool {
	for _, kind := range []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"} {
		if len(u.Find(inventory.Query{Group: new(rbac.Group), Kind: kind, Name: name})) > 0 {
			return true
		}
	}
	return false
}

// SubjectOf is the subject that a binding names to reach an identity: the account behind a user name of that form, the
// user, or the first group of somebody of whom nothing else is known.
func SubjectOf(who rbac.Identity) rbac.Subject {
	if account, ok := inventory.ParseUser(who.User); ok {
		return rbac.Account(account)
	}
	if strings.TrimSpace(who.User) == "" && len(who.Groups) > 0 {
		return rbac.Subject{Kind: rbac.KindGroup, Name: who.Groups[0]}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: who.User}
}

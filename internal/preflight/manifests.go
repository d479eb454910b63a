package preflight

import (
	"bytes"
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
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
	Name        string            `yaml:"name"`
	Namespace   string            `yaml:"namespace,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations,omitempty"`
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

// orderKeys are the annotations that say when Argo CD and Helm apply an object: a grant comes with its extension.
var orderKeys = []string{
	"argocd.argoproj.io/sync-wave", "argocd.argoproj.io/hook",
	"helm.sh/hook", "helm.sh/hook-weight",
}

// Grantee is who is granted something.
type Grantee struct {
	// Extension is the name of the extension, after which the objects are called.
	Extension string
	Identity  rbac.Identity
	// Unit is where they will be applied, and From the extension in it, whose order of application they follow; either may
	// be nil.
	Unit *inventory.Unit
	From *inventory.Object
}

// Manifests writes the roles and bindings that grant an identity what is missing, and nothing more: a ClusterRole and its
// binding for the whole cluster, and a Role and its binding for each namespace, all of one name. Where the unit has an
// object of that name, which the new one would overwrite, a hash of what is granted is added to it. Applying them closes
// the gap. With nothing missing there is nothing to write.
func Manifests(to Grantee, missing []Scoped) []byte {
	grants := Grant(missing)
	name := to.name(grants)
	annotations := to.annotations()
	var out bytes.Buffer
	for _, grant := range grants {
		for _, o := range grantObjects(name, grant, SubjectOf(to.Identity)) {
			o.Metadata.Annotations = annotations
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

func (g Grantee) name(grants []Scoped) string {
	name := olm.BindingName(g.Extension, grantPurpose)
	if g.Unit == nil || !taken(g.Unit, name) {
		return name
	}
	return olm.UniqueBindingName(g.Extension, grantPurpose, fmt.Sprintf("%q %q", g.Identity.User, grants))
}

// grantPurpose ends the names of what is written here.
const grantPurpose = "preflight"

// GrantHash is the hash that Manifests adds to the names of the objects, so that a file of theirs can be told from an earlier
// one as well; "" where it adds none.
func GrantHash(to Grantee, missing []Scoped) string {
	name := to.name(Grant(missing))
	if name == olm.BindingName(to.Extension, grantPurpose) {
		return ""
	}
	return name[strings.LastIndex(name, "-")+1:]
}

func (g Grantee) annotations() map[string]string {
	if g.From == nil {
		return nil
	}
	found := map[string]string{}
	for _, key := range orderKeys {
		if value := g.From.Node.Lookup(manifest.Path{"metadata", "annotations", key}); value.IsScalar() && !value.IsNull() {
			found[key] = value.String()
		}
	}
	return found
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

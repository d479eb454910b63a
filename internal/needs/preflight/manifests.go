package preflight

import (
	"bytes"
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/kube/generate"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Grantee is who is granted something.
type Grantee struct {
	// Extension is the name of the extension, which the names of the objects contain.
	Extension string
	// OfAccount is set if the identity installs no extension: the names then contain that of the account, and no extension's prefix.
	OfAccount bool
	Identity  rbac.Identity
	// Unit is where the objects will be applied, and From the extension in it, whose order of application they follow; both
	// can be nil.
	Unit *objects.Unit
	From *objects.Object
	// CreateAccount adds the account of the identity to the manifests.
	CreateAccount bool
}

// account returns the manifest of the account of the identity.
func (g Grantee) account() generate.Object {
	subject := SubjectOf(g.Identity)
	o := newObject(rbac.KindServiceAccount, subject.Namespace, subject.Name)
	o.APIVersion = "v1"
	return o
}

// Manifests returns the roles and bindings that grant an identity exactly what is missing: a ClusterRole and its binding
// for the whole cluster, and a Role and its binding for each namespace, all with the same name. If the unit has an object
// of that name, which would be overwritten, a hash of the permissions is appended. The account comes first, if it is asked
// for. The result is empty if nothing is missing.
func Manifests(to Grantee, missing []Scoped) []byte {
	grants := Grant(missing)
	name := to.name(grants)
	annotations := generate.OrderAnnotations(to.From)
	var all []generate.Object
	if to.CreateAccount {
		all = append(all, to.account())
	}
	for _, grant := range grants {
		all = append(all, grantObjects(name, grant, SubjectOf(to.Identity))...)
	}
	var out bytes.Buffer
	for _, o := range all {
		o.Metadata.Annotations = annotations
		text, err := yaml.Marshal(o)
		if err != nil {
			panic(fmt.Sprintf("%s %s cannot be written: %v", o.Kind, name, err)) // strings and lists can always be encoded
		}
		if out.Len() > 0 {
			out.WriteString("---\n")
		}
		out.Write(text)
	}
	return out.Bytes()
}

// plainName is the name without a hash.
func (g Grantee) plainName() string {
	name := olm.BindingName(g.Extension, grantPurpose)
	if g.OfAccount {
		return strings.TrimPrefix(name, olm.BindingPrefix)
	}
	return name
}

func (g Grantee) name(grants []Scoped) string {
	name := g.plainName()
	if g.Unit == nil || !taken(g.Unit, name) {
		return name
	}
	return olm.UniqueBindingName(g.Extension, grantPurpose, fmt.Sprintf("%q %q", g.Identity.User, grants))
}

// grantPurpose is the suffix of the names.
const grantPurpose = "preflight"

// GrantHash returns the hash that Manifests appends to the names of the objects, so that their file can be distinguished
// from an earlier one as well; "" if it appends none.
func GrantHash(to Grantee, missing []Scoped) string {
	name := to.name(Grant(missing))
	if name == to.plainName() {
		return ""
	}
	return name[strings.LastIndex(name, "-")+1:]
}

func grantObjects(name string, grant Scoped, to rbac.Subject) []generate.Object {
	roleKind, bindingKind := "ClusterRole", "ClusterRoleBinding"
	if grant.Namespace != "" {
		roleKind, bindingKind = "Role", "RoleBinding"
	}
	role, binding := newObject(roleKind, grant.Namespace, name), newObject(bindingKind, grant.Namespace, name)
	for _, r := range grant.Rules {
		role.Rules = append(role.Rules, generate.RuleOf(r))
	}
	binding.RoleRef = &generate.Reference{APIGroup: rbac.Group, Kind: roleKind, Name: name}
	subject := generate.Reference{Kind: to.Kind, Name: to.Name, Namespace: to.Namespace}
	if to.Kind != rbac.KindServiceAccount {
		subject.APIGroup = rbac.Group
	}
	binding.Subjects = []generate.Reference{subject}
	return []generate.Object{role, binding}
}

func newObject(kind, namespace, name string) generate.Object {
	return generate.Object{
		APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind,
		Metadata: generate.Metadata{Name: name, Namespace: namespace, Labels: map[string]string{generate.ManagedByLabel: generate.ManagedBy}},
	}
}

// taken reports whether a role or binding of the unit has the name, in any namespace.
func taken(u *objects.Unit, name string) bool {
	for _, kind := range []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"} {
		if len(u.Find(objects.Query{Group: new(rbac.Group), Kind: kind, Name: name})) > 0 {
			return true
		}
	}
	return false
}

// SubjectOf returns the subject that a binding needs for an identity: the account of an account's user name, the user, or
// the first group if nothing else is known.
func SubjectOf(who rbac.Identity) rbac.Subject {
	if account, ok := objects.ParseUser(who.User); ok {
		return rbac.Account(account)
	}
	if strings.TrimSpace(who.User) == "" && len(who.Groups) > 0 {
		return rbac.Subject{Kind: rbac.KindGroup, Name: who.Groups[0]}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: who.User}
}

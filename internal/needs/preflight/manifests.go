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
	// Extension is the name of the extension, after which the objects are called.
	Extension string
	Identity  rbac.Identity
	// Unit is where they will be applied, and From the extension in it, whose order of application they follow; either may
	// be nil.
	Unit *objects.Unit
	From *objects.Object
}

// Manifests writes the roles and bindings that grant an identity what is missing, and nothing more: a ClusterRole and its
// binding for the whole cluster, and a Role and its binding for each namespace, all of one name. Where the unit has an
// object of that name, which the new one would overwrite, a hash of what is granted is added to it. Applying them closes
// the gap. With nothing missing there is nothing to write.
func Manifests(to Grantee, missing []Scoped) []byte {
	grants := Grant(missing)
	name := to.name(grants)
	annotations := generate.OrderAnnotations(to.From)
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

// taken tells whether a role or binding of the unit has the name, in any namespace.
func taken(u *objects.Unit, name string) bool {
	for _, kind := range []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"} {
		if len(u.Find(objects.Query{Group: new(rbac.Group), Kind: kind, Name: name})) > 0 {
			return true
		}
	}
	return false
}

// SubjectOf is the subject that a binding names to reach an identity: the account behind a user name of that form, the
// user, or the first group of somebody of whom nothing else is known.
func SubjectOf(who rbac.Identity) rbac.Subject {
	if account, ok := objects.ParseUser(who.User); ok {
		return rbac.Account(account)
	}
	if strings.TrimSpace(who.User) == "" && len(who.Groups) > 0 {
		return rbac.Subject{Kind: rbac.KindGroup, Name: who.Groups[0]}
	}
	return rbac.Subject{Kind: rbac.KindUser, Name: who.User}
}

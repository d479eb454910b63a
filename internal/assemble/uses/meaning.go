package uses

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Used is an object as a unit applies it whose uses are looked for. The account is set if the object is one.
type Used struct {
	Object  *objects.Object
	Account objects.Account
}

// IsAccount reports whether the object is an account.
func (u Used) IsAccount() bool { return u.Account != (objects.Account{}) }

// IsBinding reports whether the object is a binding.
func (u Used) IsBinding() bool {
	return u.Object.Group == rbac.Group && (u.Object.Kind == "ClusterRoleBinding" || u.Object.Kind == "RoleBinding")
}

// MayBeAt reports whether a place with a name of the object can mean it, judging by the place.
func (u Used) MayBeAt(p Place, name string) bool {
	if !u.IsAccount() {
		return p.CanNameOther()
	}
	return p.CanName(objects.Account{Namespace: u.Account.Namespace, Name: name})
}

// IsRenamedAt reports whether the field of an applied object that names something has no longer a name: a kustomization that changes
// a name changes the references to it as well.
func IsRenamedAt(o *objects.Object, path manifest.Path, name string) bool {
	value := o.Node.Lookup(path)
	text := value.String()
	return value.IsScalar() && text != "" && !rbac.Templated(text) && !strings.Contains(text, name) &&
		!strings.Contains(path[len(path)-1], name)
}

// IsOtherAt reports whether a field with a name of the object cannot refer to the object. A field that is not known to refer to
// something else counts as a use. With anyNamespace, the object of the field is as written and a unit may apply it with another
// name and namespace.
func (u Used) IsOtherAt(o *objects.Object, path manifest.Path, name string, anyNamespace bool) bool {
	if u.IsBinding() {
		return !refersByKind(o, path, u.Object.Kind)
	}
	if u.IsAccount() {
		return path.String() == "metadata.name" || isUnrelated(o.Node, path) || isProvenOther(o, path, u.Account, name, anyNamespace)
	}
	for _, ref := range o.References() {
		if slices.Equal(ref.Path, path) {
			return true
		}
	}
	switch last := path[len(path)-1]; {
	case path.String() == "metadata.name", last == "namespace", last == "packageName", hasStep(path, "labels", "matchLabels"):
		return true
	case path[0] == "roleRef":
		return u.Object.Group != rbac.Group || o.Node.Lookup(manifest.Path{"roleRef", "kind"}).String() != u.Object.Kind
	}
	return false
}

// isProvenOther reports whether a field refers to another account than this one: the type of the object that has the field, or of the
// manifest inside of it, defines that it names an account, and in which namespace.
func isProvenOther(o *objects.Object, path manifest.Path, account objects.Account, name string, anyNamespace bool) bool {
	owner, inside := o.Innermost(path)
	for _, ref := range owner.References() {
		if slices.Equal(ref.Path, inside) {
			return ref.Certain && !mayMean(ref.Account, account, name, anyNamespace)
		}
	}
	if !isSubject(owner, inside) {
		return false
	}
	namespace := owner.Node.Lookup(inside[:len(inside)-1]).Get("namespace").String()
	return !mayMean(objects.Account{Namespace: namespace, Name: name}, account, name, anyNamespace)
}

// isSubject reports whether a field is the name of a subject, in whatever kind: the subject sets the kind and the namespace of the account.
func isSubject(o *objects.Object, path manifest.Path) bool {
	if path[len(path)-1] != "name" || len(path) < 2 {
		return false
	}
	subject := o.Node.Lookup(path[:len(path)-1])
	return subject.Get("kind").String() == rbac.KindServiceAccount && subject.Get("namespace").String() != "" && subject.Get("metadata") == nil
}

// mayMean reports whether a reference may mean an account that has a name in files.
func mayMean(written, account objects.Account, name string, anyNamespace bool) bool {
	if anyNamespace {
		written.Namespace = ""
		if written.Name == name {
			written.Name = account.Name
		}
	}
	return MayMatch(written, account)
}

// MayMatch reports whether a reference may match an account once all names are filled in.
func MayMatch(written, account objects.Account) bool {
	if rbac.Templated(written.Namespace) {
		written.Namespace = ""
	}
	if rbac.Templated(written.Name) {
		written.Name = account.Name
	}
	return written.Matches(account)
}

// refersByKind reports whether a field is the name in a reference to an object of a kind, as in Flux's healthChecks.
func refersByKind(o *objects.Object, path manifest.Path, kind string) bool {
	return len(path) > 1 && path[len(path)-1] == "name" &&
		o.Node.Lookup(path[:len(path)-1]).Get("kind").String() == kind
}

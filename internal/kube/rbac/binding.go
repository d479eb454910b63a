package rbac

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// UnknownNamespace stands for the namespace of an object whose manifest names none. It is no valid name.
const UnknownNamespace = "?"

const (
	kindClusterRole        = "ClusterRole"
	kindRole               = "Role"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindRoleBinding        = "RoleBinding"
)

// RoleRef names a role. The namespace is that of a Role, UnknownNamespace where it is not known, and "" for a
// ClusterRole.
type RoleRef struct{ Kind, Name, Namespace string }

// Builtin reports whether the role is one of the user-facing ClusterRoles that every cluster has.
func (r RoleRef) Builtin() bool {
	if r.Kind != kindClusterRole {
		return false
	}
	switch r.Name {
	case "cluster-admin", "admin", "edit", "view":
		return true
	}
	return false
}

// compare orders by kind, namespace and name.
func (r RoleRef) compare(other RoleRef) int {
	return cmp.Or(
		strings.Compare(r.Kind, other.Kind),
		strings.Compare(r.Namespace, other.Namespace),
		strings.Compare(r.Name, other.Name),
	)
}

// Binding is one subject of a ClusterRoleBinding or RoleBinding, by which a role reaches somebody.
type Binding struct {
	Object *objects.Object
	// Scope is the namespace the role is granted in, "" for the whole cluster, UnknownNamespace for a RoleBinding whose
	// manifest names none.
	Scope string
	Role  RoleRef
	// RoleObject is the role; nil when it is not in the repository, or when several could be meant: then they are the
	// RoleTie.
	RoleObject *objects.Object
	RoleTie    []*objects.Object
	// SubjectIndex is the place of the subject in the binding, and Subject the subject as written, except that a
	// RoleBinding's namespace stands in for one an account does not have.
	SubjectIndex int
	Subject      Subject
	// Via is the group through which the one asked about is reached, "" when the binding names him.
	Via string
	// Uncertain is true when it depends on a namespace that is not known, or is filled in later, whether the binding
	// reaches him.
	Uncertain bool
	// Refused is the field for which the API server refuses the binding as a whole: apiVersion, for a version that it does
	// not serve, metadata or roleRef, for something else than a text in them, or the first of the subjects that it does not take (ValidateRoleBindingSubject), as in subjects[1]. It is
	// "" when it takes the binding. Of one that is refused, an older version may be on the cluster, so it is not known what
	// it grants.
	Refused string
	// Passing is the field that says that the binding may not be on the cluster although its manifest is applied, or not stay
	// there, as in metadata.annotations[helm.sh/hook]; "" where nothing says so.
	Passing string
	// Default tells that no manifest has the binding, but every cluster (DefaultsFor).
	Default bool
	// Again tells that another binding of this name is applied with it: it is not known which of them stays.
	Again bool
	// Tie lists the namesakes of the object asked for, itself included, which are equally near to the binding, so that
	// it cannot be said which of them it belongs to. It is nil when the binding belongs to that object alone.
	Tie []*objects.Object
}

// certain reports whether it is known that the binding reaches the one asked about, and in which namespace.
func (b Binding) certain() bool {
	return !b.Uncertain && !b.Again && b.Refused == "" && len(b.Tie) == 0 && b.Scope != UnknownNamespace && !Templated(b.Scope)
}

// BindingsOf lists the bindings through which a subject is granted a role, its implicit groups included (Subject.Groups),
// sorted by object and place in it. From is the object on whose behalf it is asked, an extension or a pod: in a plain
// unit, bindings that are nearer to a namesake of it are left out. Without it (nil) all are listed.
//
// As in the API server, a missing apiGroup is filled in by the subject's kind, and a wrong one matches nobody. A binding
// that the API server refuses for its roleRef grants nothing and is left out. A role that is not in the repository is
// no reason to leave the binding out.
func BindingsOf(u *objects.Unit, from *objects.Object, s Subject) []Binding {
	bindings := BindingsFor(u, from, s.Identity())
	if s.Kind == KindGroup {
		for i := range bindings {
			bindings[i].Via = ""
		}
	}
	return bindings
}

// Grant is a role granted in a scope: what a proof that permissions were preserved compares. It says nothing about how
// the role came to be granted.
type Grant struct {
	Role  RoleRef
	Scope string
}

// Grants is the set of what a subject is granted in a unit, sorted.
func Grants(u *objects.Unit, s Subject) []Grant { return GrantsOf(BindingsOf(u, nil, s)) }

// GrantsOf is the set of what bindings grant, sorted.
func GrantsOf(bindings []Binding) []Grant {
	grants := make([]Grant, 0, len(bindings))
	for _, b := range bindings {
		grants = append(grants, Grant{b.Role, b.Scope})
	}
	slices.SortFunc(grants, func(a, b Grant) int {
		return cmp.Or(strings.Compare(a.Scope, b.Scope), a.Role.compare(b.Role))
	})
	return slices.Compact(grants)
}

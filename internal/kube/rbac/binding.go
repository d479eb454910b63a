package rbac

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// UnknownNamespace represents the namespace of an object whose manifest sets none. It is not a valid name.
const UnknownNamespace = "?"

const (
	kindClusterRole        = "ClusterRole"
	kindRole               = "Role"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindRoleBinding        = "RoleBinding"
)

// RoleRef names a role. The namespace is that of a Role, UnknownNamespace if it is unknown, and "" for a ClusterRole.
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

// Binding is one subject of a ClusterRoleBinding or RoleBinding, which grants a role to it.
type Binding struct {
	Object *objects.Object
	// Scope is the namespace in which the role is granted, "" for the whole cluster, UnknownNamespace for a RoleBinding
	// whose manifest sets none.
	Scope string
	Role  RoleRef
	// RoleObject is the role; nil if it is not in the repository, or if several are possible: these are the RoleTie.
	RoleObject *objects.Object
	RoleTie    []*objects.Object
	// SubjectIndex is the index of the subject in the binding, and Subject the subject as written, except that an account
	// without a namespace gets that of its RoleBinding.
	SubjectIndex int
	Subject      Subject
	// Via is the group through which the binding applies to the requested subject, "" if the binding names the subject.
	Via string
	// Uncertain is true if it depends on an unknown or templated namespace whether the binding applies to the requested
	// subject.
	Uncertain bool
	// Refused is the field because of which the API server refuses the whole binding: apiVersion, for a version that it
	// does not serve; metadata or roleRef, for a value in them that is not a string; or the first of the invalid subjects
	// (ValidateRoleBindingSubject), as in subjects[1]. It is "" for a valid binding. An older version of a refused binding
	// can be on the cluster, so it is unknown what it grants.
	Refused string
	// TransientField is the field because of which the binding can be missing on the cluster although its manifest is applied, or
	// can be removed again, as in metadata.annotations[helm.sh/hook]; "" if there is none.
	TransientField string
	// Default is true for a binding that no manifest contains, but every cluster (DefaultsFor).
	Default bool
	// Duplicate is true if another binding of this name is applied together with it: it is unknown which of them remains.
	Duplicate bool
	// Tie lists the namesakes of the requesting object, including itself, that are equally near to the binding, so that its
	// owner is unknown. It is nil if the binding belongs to that object alone.
	Tie []*objects.Object
}

// certain reports whether it is known that the binding applies to the requested subject, and in which namespace.
func (b Binding) certain() bool {
	return !b.Uncertain && !b.Duplicate && b.Refused == "" && len(b.Tie) == 0 && b.Scope != UnknownNamespace && !Templated(b.Scope)
}

// BindingsOf lists the bindings that grant a role to a subject, including those of its implicit groups (Subject.Groups),
// sorted by object and index. From is the object for which the question is asked, an extension or a pod: in a plain unit,
// bindings that are nearer to a namesake of it are left out. If from is nil, all are listed.
//
// As in the API server, a missing apiGroup is derived from the subject's kind, and a wrong one matches no subject. A
// binding that the API server refuses because of its roleRef grants nothing and is left out. A binding whose role is not in
// the repository is included.
func BindingsOf(u *objects.Unit, from *objects.Object, s Subject) []Binding {
	bindings := BindingsFor(u, from, s.Identity())
	if s.Kind == KindGroup {
		for i := range bindings {
			bindings[i].Via = ""
		}
	}
	return bindings
}

// Grant is a role granted in a scope, without the way in which it is granted. Proofs that permissions are preserved compare
// grants.
type Grant struct {
	Role  RoleRef
	Scope string
}

// GrantsOf returns the set of grants of bindings, sorted.
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

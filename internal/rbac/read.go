package rbac

import (
	"fmt"
	"strconv"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// readBinding takes a binding apart, one Binding for each subject that can match somebody. ok is false for an object
// that is no binding, or one that the API server refuses.
func readBinding(o *inventory.Object) (bindings []Binding, ok bool) {
	scope, ok := scopeOf(o)
	if !ok {
		return nil, false
	}
	role, ok := readRoleRef(o.Node.Get("roleRef"), o.Kind, scope)
	if !ok {
		return nil, false
	}
	subjects := o.Node.Get("subjects")
	refused := ""
	for i := 0; subjects.IsSequence(); i++ {
		subject := subjects.Lookup(manifest.Path{strconv.Itoa(i)})
		if subject == nil {
			break
		}
		s, ok := readSubject(subject, o)
		if ok {
			bindings = append(bindings, Binding{Object: o, Scope: scope, Role: role, SubjectIndex: i, Subject: s})
		}
		if refused == "" && (!ok || lacksNamespace(s, o)) {
			refused = fmt.Sprintf("subjects[%d]", i)
		}
	}
	for i := range bindings {
		bindings[i].Refused = refused
	}
	return bindings, true
}

// lacksNamespace tells whether a subject is an account of which a ClusterRoleBinding does not say where it is.
func lacksNamespace(s Subject, binding *inventory.Object) bool {
	return s.Kind == KindServiceAccount && s.Namespace == "" && binding.Kind == kindClusterRoleBinding
}

// scopeOf says where a binding grants its role. ok is false when the object is no binding.
func scopeOf(o *inventory.Object) (scope string, ok bool) {
	switch {
	case o.Group != Group:
		return "", false
	case o.Kind == kindClusterRoleBinding:
		return "", true
	case o.Kind == kindRoleBinding && o.Namespace == "":
		return UnknownNamespace, true
	}
	return o.Namespace, o.Kind == kindRoleBinding
}

// readRoleRef reads the role. A ClusterRoleBinding cannot refer to a Role, and no binding to another API group.
func readRoleRef(n *manifest.Node, bindingKind, scope string) (RoleRef, bool) {
	role := RoleRef{Kind: n.Get("kind").String(), Name: n.Get("name").String()}
	if group := n.Get("apiGroup").String(); role.Name == "" || group != "" && group != Group {
		return RoleRef{}, false
	}
	switch role.Kind {
	case kindClusterRole:
		return role, true
	case kindRole:
		role.Namespace = scope
		return role, bindingKind == kindRoleBinding
	}
	return RoleRef{}, false
}

// readSubject reads a subject. ok is false for one that matches nobody.
func readSubject(n *manifest.Node, binding *inventory.Object) (Subject, bool) {
	s := Subject{Kind: n.Get("kind").String(), Name: n.Get("name").String()}
	group := n.Get("apiGroup").String()
	switch s.Kind {
	case KindServiceAccount:
		s.Namespace = n.Get("namespace").String()
		if s.Namespace == "" && binding.Kind == kindRoleBinding {
			s.Namespace = binding.Namespace
		}
		return s, group == "" && s.Name != ""
	case KindUser, KindGroup:
		return s, (group == "" || group == Group) && s.Name != ""
	}
	return Subject{}, false
}

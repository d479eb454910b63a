package rbac

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// readBinding returns one Binding for each valid subject of a binding. ok is false for an object that is not a binding, or
// one that the API server refuses.
func readBinding(u *objects.Unit, o *objects.Object) (bindings []Binding, ok bool) {
	scope, ok := scopeOf(u, o)
	if !ok {
		return nil, false
	}
	role, ok := readRoleRef(o.Node.Get("roleRef"), o.Kind, scope)
	if !ok {
		return nil, false
	}
	refused, passing := refusedField(o), transientField(o)
	for i, subject := range subjectNodes(o) {
		if s, ok := readSubject(subject, o); ok {
			bindings = append(bindings, Binding{Object: o, Scope: scope, Role: role, SubjectIndex: i, Subject: s})
		}
		if refused == "" && len(refusedSubject(o, subject, i)) > 0 {
			refused = fmt.Sprintf("subjects[%d]", i)
		}
	}
	for i := range bindings {
		bindings[i].Refused, bindings[i].TransientField = refused, passing
	}
	return bindings, true
}

// servedVersion is the only RBAC version that API servers serve since Kubernetes 1.22.
const servedVersion = "v1"

func served(o *objects.Object) bool {
	_, version := objects.SplitAPIVersion(o.APIVersion)
	return version == servedVersion
}

// refusedField returns the field other than subjects because of which the API server refuses a binding; "" for none.
func refusedField(o *objects.Object) string {
	if !served(o) {
		return "apiVersion"
	}
	const notText = ", which YAML reads as a number or a boolean: quote it"
	if field := firstNonString(o.Node.Get("metadata"), "name", "namespace"); field != "" {
		return "metadata." + field + notText
	}
	if field := firstNonString(o.Node.Get("roleRef"), "kind", "name", "apiGroup"); field != "" {
		return "roleRef." + field + notText
	}
	return ""
}

// hasNonString reports whether one of the fields is set and not a string, such as a number, or an unquoted yes, which is a
// boolean.
func hasNonString(n *manifest.Node, fields ...string) bool { return firstNonString(n, fields...) != "" }

// firstNonString returns the first such field, "" for none.
func firstNonString(n *manifest.Node, fields ...string) string {
	for _, name := range fields {
		if field := n.Get(name); field.IsScalar() && !field.IsNull() && !field.IsString() {
			return name
		}
	}
	return ""
}

// subjectNodes returns the subjects of a binding as written.
func subjectNodes(binding *objects.Object) []*manifest.Node {
	var nodes []*manifest.Node
	subjects := binding.Node.Get("subjects")
	for i := 0; subjects.IsSequence(); i++ {
		subject := subjects.Lookup(manifest.Path{strconv.Itoa(i)})
		if subject == nil {
			break
		}
		nodes = append(nodes, subject)
	}
	return nodes
}

// RefusedSubjects lists the indexes of the subjects because of which the API server refuses a whole binding, or can do so
// once they are rendered.
func RefusedSubjects(binding *objects.Object) []int {
	var places []int
	for i, subject := range subjectNodes(binding) {
		if len(refusedSubject(binding, subject, i)) > 0 {
			places = append(places, i)
		}
	}
	return places
}

// scopeOf returns the scope in which a binding of a unit grants its role. ok is false if the object is not a binding.
func scopeOf(u *objects.Unit, o *objects.Object) (scope string, ok bool) {
	switch {
	case !isBinding(o) || o.Kind == kindClusterRoleBinding:
		return "", isBinding(o)
	case o.Namespace == "":
		return cmp.Or(u.DefaultNamespace(o), UnknownNamespace), true
	}
	return o.Namespace, true
}

func isBinding(o *objects.Object) bool {
	return o.Group == Group && (o.Kind == kindRoleBinding || o.Kind == kindClusterRoleBinding)
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

// readSubject reads a subject. ok is false for one that matches no identity.
func readSubject(n *manifest.Node, binding *objects.Object) (Subject, bool) {
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

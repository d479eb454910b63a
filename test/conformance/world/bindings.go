package world

import "fmt"

func (w *World) bindings() {
	for i := range 1 + w.random.IntN(5) {
		w.add(w.header("ClusterRoleBinding", "", fmt.Sprintf("everywhere-%d", i), nil), w.binding(""))
	}
	for i := range 3 + w.random.IntN(10) {
		namespace := w.pick(namespaces)
		header := w.header("RoleBinding", namespace, fmt.Sprintf("here-%d", i), nil)
		body := w.binding(namespace)
		w.add(header, body)
		if w.Chance(5) { // the same once more under another name
			w.add(w.header("RoleBinding", namespace, fmt.Sprintf("again-%d", i), nil), body)
		}
	}
}

// binding returns roleRef and subjects. The namespace is that of a RoleBinding, and "" for a ClusterRoleBinding.
func (w *World) binding(namespace string) object {
	body := object{{"roleRef", w.roleRef(namespace)}}
	if w.Chance(12) {
		return body
	}
	if w.Options.Refused && w.Chance(8) {
		return append(body, field{"subjects", []object{w.oddSubject()}})
	}
	subjects := make([]object, w.random.IntN(5))
	for i := range subjects {
		subjects[i] = w.subject(namespace)
	}
	return append(body, field{"subjects", subjects})
}

func (w *World) roleRef(namespace string) object {
	kind, name := "ClusterRole", w.pick(roleNames)
	switch {
	case namespace != "" && w.Chance(2):
		kind = "Role"
	case w.Options.Builtin && w.Chance(4):
		name = w.pick(builtinRoles)
	case w.Options.Aggregated && w.Chance(2):
		name = fmt.Sprintf("aggregated-%d", w.random.IntN(4))
	}
	if w.Chance(12) {
		name = w.pick(missingRoles)
	}
	var ref object
	if !w.Chance(4) { // a missing group is filled in
		ref = object{{"apiGroup", "rbac.authorization.k8s.io"}}
	}
	if w.Options.Refused && w.Chance(12) {
		ref = object{{"apiGroup", w.pick([]string{"", "apps", "rbac.authorization.k8s.io/v1"})}}
		kind = w.pick([]string{"Role", "ClusterRole", "role", ""})
		name = w.pick([]string{name, "", "a/b", ".."})
	}
	return append(ref, field{"kind", kind}, field{"name", name})
}

func (w *World) subject(namespace string) object {
	group := field{"apiGroup", "rbac.authorization.k8s.io"}
	switch w.random.IntN(3) {
	case 0:
		subject := object{{"kind", "ServiceAccount"}, {"name", w.pick(accountNames)}}
		if namespace == "" || !w.Chance(3) { // in a RoleBinding its namespace stands in
			subject = append(subject, field{"namespace", w.pick(namespaces)})
		}
		if w.Chance(4) {
			subject = append(subject, field{"apiGroup", ""})
		}
		return subject
	case 1:
		return w.withGroup(object{{"kind", "User"}, {"name", w.pick(users)}}, group)
	}
	return w.withGroup(object{{"kind", "Group"}, {"name", w.pick(groups)}}, group)
}

// withGroup leaves the API group out of some subjects: it is filled in. The namespace of users and groups counts for
// nothing.
func (w *World) withGroup(subject object, group field) object {
	if w.Chance(6) {
		subject = append(subject, field{"namespace", w.pick(namespaces)})
	}
	if w.Chance(3) {
		return subject
	}
	return append(subject, group)
}

// oddSubject is one that validation refuses, more often than not.
func (w *World) oddSubject() object {
	return object{
		{"kind", w.pick([]string{"ServiceAccount", "User", "Group", "Robot", ""})},
		{"apiGroup", w.pick([]string{"", "apps", "rbac.authorization.k8s.io", "rbac"})},
		{"name", w.pick([]string{"installer", "alice", "devs", "", "In Staller"})},
	}
}

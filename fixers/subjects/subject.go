package subjects

import (
	"slices"
	"strconv"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

const subjectsKey = "subjects"

// IsBinding tells whether an object is a binding of Kubernetes' own API group.
func IsBinding(o *objects.Object) bool {
	return o.Group == rbac.Group && (o.Kind == "ClusterRoleBinding" || o.Kind == "RoleBinding")
}

// CheckBinding refuses an object that is not a binding.
func CheckBinding(o *objects.Object) error {
	if IsBinding(o) {
		return nil
	}
	return engine.Refuse("%s is not a ClusterRoleBinding or RoleBinding", engine.NameOf(o))
}

// checkPath refuses a path that does not lead to a subject of a binding.
func checkPath(o *objects.Object, path manifest.Path) error {
	if IsBinding(o) && SubjectIndex(path) >= 0 {
		return nil
	}
	return engine.Refuse("%s of %s is not a subject of a binding", path, engine.NameOf(o))
}

// SubjectIndex reads the index of a subject out of a path such as subjects[1].name; -1 when it leads elsewhere.
func SubjectIndex(path manifest.Path) int {
	if len(path) < 2 || path[0] != subjectsKey {
		return -1
	}
	index, err := strconv.Atoi(path[1])
	if err != nil {
		return -1
	}
	return index
}

// SubjectPath leads to a subject of a binding.
func SubjectPath(index int) manifest.Path { return manifest.Path{subjectsKey, strconv.Itoa(index)} }

// SubjectCount is how many subjects a binding has.
func SubjectCount(binding *objects.Object) int {
	list, _ := binding.JSON()[subjectsKey].([]any)
	return len(list)
}

// ReadSubject reads a subject as it is written, except that a RoleBinding's namespace stands in for one an account does
// not have.
func ReadSubject(binding *objects.Object, index int) rbac.Subject {
	n := binding.Node.Lookup(SubjectPath(index))
	s := rbac.Subject{Kind: n.Get("kind").String(), Name: n.Get("name").String()}
	if s.Kind == rbac.KindServiceAccount {
		s.Namespace = n.Get("namespace").String()
		if s.Namespace == "" && binding.Kind == "RoleBinding" {
			s.Namespace = binding.Namespace
		}
	}
	return s
}

// SubjectGrant gives what a binding grants one of its subjects; ok is false for a subject that matches nobody.
func SubjectGrant(u *objects.Unit, binding *objects.Object, index int) (rbac.Binding, bool) {
	for _, b := range rbac.BindingsOf(u, nil, ReadSubject(binding, index)) {
		if b.Object == binding && b.SubjectIndex == index && b.Via == "" {
			return b, true
		}
	}
	return rbac.Binding{}, false
}

// GrantChangeOf declares that the grant of a binding comes or goes.
func GrantChangeOf(b rbac.Binding, reason string) engine.GrantChange {
	return engine.GrantChange{Subject: b.Subject, Grant: rbac.Grant{Role: b.Role, Scope: b.Scope}, Reason: reason}
}

// CheckOthersActivated refuses to take away or correct a subject for which the API server refuses the binding: what that grants its
// other subjects would begin to count.
func CheckOthersActivated(binding *objects.Object, indexes ...int) error {
	refused := rbac.RefusedSubjects(binding)
	all := SubjectCount(binding)
	if len(indexes) == all {
		return nil
	}
	for _, i := range indexes {
		if slices.Contains(refused, i) {
			return engine.Refuse("the API server rejects %s because of %s at %s, and would accept it without that mistake, "+
				"so its grant to its other %s would take effect: correct it by hand if this is intended",
				engine.NameOf(binding), SubjectPath(i), binding.Position(SubjectPath(i)), engine.Plural(all-1, "subject"))
		}
	}
	return nil
}

// RemoveSubjects removes subjects of a binding. A binding that is left without any goes as a whole, which Combine sees to,
// for several plans may take one each.
func RemoveSubjects(p *engine.Plan, binding *objects.Object, indexes []int, order int) {
	slices.Sort(indexes)
	for _, i := range slices.Compact(indexes) {
		p.RemovePath(binding, SubjectPath(i), order)
	}
}

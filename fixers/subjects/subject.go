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

// IsBinding reports whether an object is a binding of Kubernetes' own API group.
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
	if IsBinding(o) && Index(path) >= 0 {
		return nil
	}
	return engine.Refuse("%s of %s is not a subject of a binding", path, engine.NameOf(o))
}

// Index returns the index of a subject in a path such as subjects[1].name; -1 for other paths.
func Index(path manifest.Path) int {
	if len(path) < 2 || path[0] != subjectsKey {
		return -1
	}
	index, err := strconv.Atoi(path[1])
	if err != nil {
		return -1
	}
	return index
}

// Path returns the path of a subject in a binding.
func Path(index int) manifest.Path { return manifest.Path{subjectsKey, strconv.Itoa(index)} }

// Count returns the number of subjects of a binding.
func Count(binding *objects.Object) int {
	list, _ := binding.JSON()[subjectsKey].([]any)
	return len(list)
}

// Read returns a subject as it is written, except that an account without a namespace gets the namespace of its RoleBinding.
func Read(binding *objects.Object, index int) rbac.Subject {
	n := binding.Node.Lookup(Path(index))
	s := rbac.Subject{Kind: n.Get("kind").String(), Name: n.Get("name").String()}
	if s.Kind == rbac.KindServiceAccount {
		s.Namespace = n.Get("namespace").String()
		if s.Namespace == "" && binding.Kind == "RoleBinding" {
			s.Namespace = binding.Namespace
		}
	}
	return s
}

// Grant returns what a binding grants one of its subjects; ok is false if the subject matches no identity.
func Grant(u *objects.Unit, binding *objects.Object, index int) (b rbac.Binding, ok bool) {
	b, ok = grantsTo(u, Read(binding, index))[place{binding, index}]
	return b, ok
}

// place is a subject of a binding.
type place struct {
	binding *objects.Object
	index   int
}

type grantsKey struct{ subject rbac.Subject }

// grantsTo returns the bindings of a subject by the places that name it. It is computed once, because a group can be a subject of
// thousands of bindings, and each of them can have a fix.
func grantsTo(u *objects.Unit, s rbac.Subject) map[place]rbac.Binding {
	return u.Cached(grantsKey{s}, func() any {
		grants := map[place]rbac.Binding{}
		for _, b := range rbac.BindingsOf(u, nil, s) {
			at := place{b.Object, b.SubjectIndex}
			if _, known := grants[at]; !known && b.Via == "" {
				grants[at] = b
			}
		}
		return grants
	}).(map[place]rbac.Binding)
}

// GrantChange declares that a subject gains or loses the grant of a binding.
func GrantChange(b rbac.Binding, reason string) engine.GrantChange {
	return engine.GrantChange{Subject: b.Subject, Grant: rbac.Grant{Role: b.Role, Scope: b.Scope}, Binding: b.Object, Reason: reason}
}

// CheckOthersActivated refuses to remove or correct a subject because of which the API server rejects the binding, if other
// subjects would then gain the grant.
func CheckOthersActivated(binding *objects.Object, indexes ...int) error {
	refused := rbac.RefusedSubjects(binding)
	all := Count(binding)
	if len(indexes) == all {
		return nil
	}
	for _, i := range indexes {
		if slices.Contains(refused, i) {
			return engine.Refuse("the API server rejects %s because of %s at %s, and would accept it without that mistake, "+
				"so its grant to its other %s would take effect: correct it by hand if this is intended",
				engine.NameOf(binding), Path(i), binding.Position(Path(i)), engine.Plural(all-1, "subject"))
		}
	}
	return nil
}

// Remove removes subjects of a binding. Merging removes a binding that is left without subjects, because several plans can
// remove one subject each.
func Remove(p *engine.Plan, binding *objects.Object, indexes []int, order int) {
	slices.Sort(indexes)
	for _, i := range slices.Compact(indexes) {
		p.RemovePath(binding, Path(i), order)
	}
}

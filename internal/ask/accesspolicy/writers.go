package accesspolicy

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Resources are those by which OLM is told what to install.
var Resources = []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}

// Writer is somebody whom a binding lets write the resources. Position is where the binding names him.
type Writer struct {
	rbac.Subject
	Position objects.Position
}

// LeftOut are those whom units let write the resources and whom the scope does not limit, each once, sorted by place: of a
// repository of which the scope covers a part.
func (s *Scope) LeftOut(units []*objects.Unit) []Writer {
	known := map[rbac.Subject]bool{}
	for _, subject := range s.Subjects {
		known[subject] = true
	}
	var all, left []Writer
	for _, unit := range units {
		all = append(all, new(Scope).writers(unit)...) // what cannot be limited there is no matter
	}
	slices.SortFunc(all, func(a, b Writer) int {
		return cmp.Or(strings.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line), strings.Compare(a.Name, b.Name))
	})
	for _, w := range all {
		if subject := canonical(w.Subject); !known[subject] {
			known[subject] = true
			left = append(left, w)
		}
	}
	return left
}

// writers are the subjects that bindings of a unit let write the resources, and that are no administrators: whom
// olm/extension-write-access is about.
func (s *Scope) writers(unit *objects.Unit) (writers []Writer) {
	opening := map[*objects.Object]bool{}
	for _, b := range rbac.Bindings(unit) {
		if b.Scope != "" || b.Refused != "" {
			continue
		}
		opens, known := opening[b.Object]
		if !known {
			opens = slices.ContainsFunc(granted(unit, b), opensAny)
			opening[b.Object] = opens
		}
		if !opens || rbac.IsAdministrator(unit, b.Object, b.Subject) {
			continue
		}
		if rbac.Templated(b.Subject.Name + b.Subject.Namespace) {
			s.note(b.Object, nil, "%s %s is not limited: its name is filled in later", b.Subject.Kind, b.Subject.Name)
			continue
		}
		at := b.Object.Position(manifest.Path{"subjects", strconv.Itoa(b.SubjectIndex)})
		writers = append(writers, Writer{b.Subject, at})
	}
	return writers
}

// granted are the rules of the role of a binding; where it cannot be said which role is meant, those of all.
func granted(unit *objects.Unit, b rbac.Binding) (rules []rbacv1.PolicyRule) {
	for _, object := range append(slices.Clone(b.RoleTie), b.Object) {
		role, _ := rbac.GrantedBy(unit, object)
		rules = append(rules, role.Rules...)
	}
	return rules
}

func opensAny(rule rbacv1.PolicyRule) bool {
	return has(rule.APIGroups, Group) &&
		slices.ContainsFunc(Resources, func(resource string) bool { return has(rule.Resources, resource) }) &&
		(has(rule.Verbs, "create") && len(rule.ResourceNames) == 0 || has(rule.Verbs, "update") || has(rule.Verbs, "patch"))
}

func has(list []string, value string) bool {
	return slices.Contains(list, rbacv1.ResourceAll) || slices.Contains(list, value)
}

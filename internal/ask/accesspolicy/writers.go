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

// Resources are the resources that control what OLM installs.
var Resources = []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}

// Writer is a subject that a binding allows to write the resources. Position is the position of the subject in the binding.
type Writer struct {
	rbac.Subject
	Position objects.Position
}

// LeftOut returns the subjects that units allow to write the resources and that the scope does not limit, each once, sorted
// by place. There are some if the scope covers only part of a repository.
func (s *Scope) LeftOut(units []*objects.Unit) []Writer {
	known := map[rbac.Subject]bool{}
	for _, subject := range s.Subjects {
		known[subject] = true
	}
	var all, left []Writer
	for _, unit := range units {
		all = append(all, new(Scope).writers(unit)...) // the notes of that scope are not needed
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

// writers returns the subjects that bindings of a unit allow to write the resources, without administrators: the subjects
// of olm/extension-write-access.
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
			s.note(b.Object, nil, "%s %s is not limited: its name is substituted later", b.Subject.Kind, b.Subject.Name)
			continue
		}
		at := b.Object.Position(manifest.Path{"subjects", strconv.Itoa(b.SubjectIndex)})
		writers = append(writers, Writer{b.Subject, at})
	}
	return writers
}

// granted returns the rules of a binding's role, or those of all candidates if it is unknown which role is meant.
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

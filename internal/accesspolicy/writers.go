package accesspolicy

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/administrator"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/rbac"
)

// Resources are those by which OLM is told what to install.
var Resources = []string{"clusterextensions", "clusterobjectsets", "clustercatalogs"}

// writers are the subjects that bindings of a unit let write the resources, and that are no administrators: whom
// olm/extension-write-access is about.
func (s *Scope) writers(unit *inventory.Unit) (subjects []rbac.Subject) {
	opening := map[*inventory.Object]bool{}
	for _, b := range rbac.Bindings(unit) {
		if b.Scope != "" || b.Refused != "" {
			continue
		}
		opens, known := opening[b.Object]
		if !known {
			opens = slices.ContainsFunc(granted(unit, b), opensAny)
			opening[b.Object] = opens
		}
		if !opens || administrator.Is(unit, b.Object, b.Subject) {
			continue
		}
		if rbac.Templated(b.Subject.Name + b.Subject.Namespace) {
			s.note(b.Object, nil, "%s %s is not limited: its name is filled in later", b.Subject.Kind, b.Subject.Name)
			continue
		}
		subjects = append(subjects, b.Subject)
	}
	return subjects
}

// granted are the rules of the role of a binding; where it cannot be said which role is meant, those of all.
func granted(unit *inventory.Unit, b rbac.Binding) (rules []rbacv1.PolicyRule) {
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

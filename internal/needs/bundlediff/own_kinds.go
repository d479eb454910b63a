package bundlediff

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rendered"
)

// ownKinds are the kinds that the content defines, by the group and plural of their definitions. They belong to the operator, so
// that a wildcard on them allows nothing but the work of the operator.
type ownKinds struct{ resources, groups map[string]bool }

func ownKindsOf(objects []rendered.Object) ownKinds {
	own := ownKinds{map[string]bool{}, map[string]bool{}}
	for _, o := range objects {
		if plural, group, found := strings.Cut(o.Name(), "."); found && isDefinition(o) && !ofPlatform(group) {
			own.resources[plural+"."+group] = true
			own.groups[group] = true
		}
	}
	return own
}

// ofPlatform reports whether a group is of Kubernetes, or one whose kinds are dangerous in any bundle.
func ofPlatform(group string) bool {
	return ofKubernetes(group) || danger.InGroup(group)
}

// covers reports whether a rule allows nothing but permissions on the own kinds. Every resource of a group in which the
// content defines kinds counts as its own.
func (k ownKinds) covers(rule rbacv1.PolicyRule) bool {
	if len(rule.APIGroups) == 0 || len(rule.Resources) == 0 {
		return false
	}
	return !slices.ContainsFunc(rule.APIGroups, func(group string) bool {
		return !k.groups[group] || slices.ContainsFunc(rule.Resources, func(resource string) bool { return !k.has(resource, group) })
	})
}

func (k ownKinds) has(resource, group string) bool {
	name, _, _ := strings.Cut(resource, "/")
	return name == "*" || k.resources[name+"."+group]
}

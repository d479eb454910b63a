package rbac

import (
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Problems lists the Roles and ClusterRoles of a unit that cannot be read, or that the API server would refuse, one error
// each, in the order of the unit. The rules of such a role are unknown.
func Problems(u *objects.Unit) []error {
	x := indexOf(u)
	var problems []error
	for _, o := range u.Objects {
		if o.Group != Group || o.Kind != kindRole && o.Kind != kindClusterRole {
			continue
		}
		if w := x.written.get(o, func() writtenRole { return readRole(o) }); w.err != nil {
			problems = append(problems, w.err)
		}
	}
	return problems
}

// Problem returns the error of Problems for one role: a *MalformedError, or nil.
func Problem(role *objects.Object) error { return readRole(role).err }

// checkHead returns why the API server refuses a role, apart from its rules.
func checkHead(role *objects.Object) error {
	switch {
	case !served(role):
		return malformed(role, manifest.Path{"apiVersion"}, "the API server serves "+Group+"/"+servedVersion+" only")
	case hasNonString(role.Node.Get("metadata"), "name", "namespace"):
		return malformed(role, manifest.Path{"metadata"}, "the name or namespace is not a string: put it in quotes")
	}
	return nil
}

// checkRules returns the first rule that the API server refuses (ValidatePolicyRule), and with it the whole role.
func checkRules(role *objects.Object, rules []rbacv1.PolicyRule) error {
	for i, rule := range rules {
		if why := refusal(rule, role.Kind == kindRole); why != "" {
			return malformed(role, manifest.Path{"rules", strconv.Itoa(i)}, why)
		}
	}
	return nil
}

func refusal(rule rbacv1.PolicyRule, namespaced bool) string {
	onResources := len(rule.APIGroups) > 0 || len(rule.Resources) > 0 || len(rule.ResourceNames) > 0
	switch {
	case len(rule.Verbs) == 0:
		return "a rule needs verbs"
	case len(rule.NonResourceURLs) > 0 && namespaced:
		return "a Role cannot have nonResourceURLs, because URLs are not namespaced: use a ClusterRole"
	case len(rule.NonResourceURLs) > 0 && onResources:
		return "a rule cannot have both resources and nonResourceURLs: split it in two"
	case len(rule.NonResourceURLs) > 0:
		return ""
	case len(rule.APIGroups) == 0:
		return `a rule with resources needs apiGroups; the core group is ""`
	case len(rule.Resources) == 0:
		return "a rule needs resources"
	}
	return ""
}

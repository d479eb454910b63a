package preflight

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
)

// powers are the permissions with which an identity can get all others.
var powers = []struct {
	name string
	rule rbacv1.PolicyRule
}{
	{"escalate on roles", onRBAC("escalate", roles)},
	{"escalate on clusterroles", onRBAC("escalate", clusterRoles)},
	{"bind on roles", onRBAC("bind", roles)},
	{"bind on clusterroles", onRBAC("bind", clusterRoles)},
	{"impersonate users", impersonate("users")},
	{"impersonate groups", impersonate("groups")},
	{"impersonate serviceaccounts", impersonate("serviceaccounts")},
}

func onRBAC(verb, resource string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{rbac.Group}, Resources: []string{resource}}
}

func impersonate(resource string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{resource}}
}

// Powers returns those among rules for the whole cluster or a namespace with which an identity can make itself an
// administrator there; all of them if a rule allows everything. A rule with resource names counts, because cluster-admin
// can be one of them; bind on a named role counts only if it is one that every cluster has.
func Powers(all []Scoped) []string {
	var found []string
	for _, p := range powers {
		if slices.ContainsFunc(all, func(s Scoped) bool { return hasPower(s.Rules, p.rule) }) {
			found = append(found, p.name)
		}
	}
	if len(found) == len(powers) {
		return []string{"every verb on every resource"}
	}
	return found
}

func hasPower(rules []rbacv1.PolicyRule, power rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool {
		if slices.Contains(power.Verbs, "bind") && len(r.ResourceNames) > 0 && !slices.ContainsFunc(r.ResourceNames, powerful) {
			return false
		}
		r.ResourceNames = nil
		covers, _ := rbac.Covers([]rbacv1.PolicyRule{r}, []rbacv1.PolicyRule{power})
		return covers
	})
}

// powerful reports whether a default role allows everything, or to bind roles.
func powerful(name string) bool { return slices.Contains([]string{"cluster-admin", "admin"}, name) }

package gains

import (
	"path"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// IsAdministrator reports whether an account holds everything in the whole cluster.
func (s *State) IsAdministrator(a objects.Account, file string) bool {
	return isAdministrator(s.Holdings(rbac.Account(a), path.Dir(file)).All.Rules[""])
}

// HasSteps reports whether an account can have a chain to cluster-admin, so that the search is not repeated for each folder of plain files.
func (s *State) HasSteps(a objects.Account, file string) bool {
	for _, rules := range s.Holdings(rbac.Account(a), path.Dir(file)).All.Rules {
		if slices.ContainsFunc(rules, escalation.Matters) {
			return true
		}
	}
	return slices.Contains(rbac.ControllerAccounts(olm.UnknownTarget()), a)
}

// Escalates reports whether an account holds a permission to gain more, also by a binding of which it is unknown whether it applies.
func (s *State) Escalates(a objects.Account, file string) bool {
	for scope, rules := range s.Holdings(rbac.Account(a), path.Dir(file)).All.Rules {
		for _, rule := range rules {
			for _, d := range danger.Of(rule, scope) {
				if d.Gains() && d.EffectiveIn(scope) && (scope == "" || scope == systemNamespace) {
					return true
				}
			}
		}
	}
	return false
}

// isAdministrator reports whether rules allow everything.
func isAdministrator(rules []rbacv1.PolicyRule) bool {
	all, _ := policyrules.Covers(rules, []rbacv1.PolicyRule{rbac.Everything()})
	return all
}

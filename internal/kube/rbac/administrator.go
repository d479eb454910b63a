package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// administratorGroups are the groups of administrators in Kubernetes and OpenShift.
var administratorGroups = []string{"system:masters", "system:cluster-admins"}

// OLMAccounts returns the accounts of OLM v1 itself, from the manifests of operator-controller (v1.0 to v1.11, catalogd's
// since v1.2) and of OpenShift (4.18 and later). An account of the same name in another namespace does not belong to OLM.
func OLMAccounts() []objects.Account {
	return []objects.Account{
		{Namespace: "olmv1-system", Name: "operator-controller-controller-manager"},
		{Namespace: "olmv1-system", Name: "catalogd-controller-manager"},
		{Namespace: "openshift-operator-controller", Name: "operator-controller-controller-manager"},
		{Namespace: "openshift-catalogd", Name: "catalogd-controller-manager"},
		{Namespace: "openshift-cluster-olm-operator", Name: "cluster-olm-operator"},
	}
}

// Everything returns the rule that makes a subject effectively cluster-admin: all actions on every object. The wildcard
// includes these verbs. With them the other verbs can be gained, because anyone who can create pods in every namespace can
// run them as any account.
func Everything() rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		APIGroups: []string{rbacv1.APIGroupAll}, Resources: []string{rbacv1.ResourceAll},
		Verbs: []string{"create", "delete", "get", "list", "patch", "update", "watch"},
	}
}

// IsAdministrator reports whether a subject is an administrator by its group, is OLM itself, or is allowed everything by
// the bindings of a unit, including those of its groups, and several combined. Of namesakes of from, only the nearest
// count.
func IsAdministrator(unit *objects.Unit, from *objects.Object, who Subject) bool {
	switch who.Kind {
	case KindGroup:
		if slices.Contains(administratorGroups, who.Name) {
			return true
		}
	case KindServiceAccount:
		if slices.ContainsFunc(OLMAccounts(), func(a objects.Account) bool { return isAccount(who, a) }) {
			return true
		}
	}
	x := indexOf(unit)
	allowed := func() bool {
		return policyrules.CoversRule(EffectiveRules(unit, from, who).Cluster, Everything())
	}
	if x.apart(from, who.Identity()) {
		return allowed()
	}
	return x.administrators.get(who, allowed)
}

// AdminBindings lists those of BindingsOf that make a subject cluster-admin without the others: a ClusterRoleBinding of
// cluster-admin, or of a role with everything that Everything has.
func AdminBindings(unit *objects.Unit, from *objects.Object, who Subject) []Binding {
	x := indexOf(unit)
	found := func() []Binding {
		return slices.DeleteFunc(BindingsOf(unit, from, who), func(b Binding) bool { return !x.grantsEverything(b) })
	}
	if x.apart(from, who.Identity()) {
		return found()
	}
	return slices.Clone(x.adminBindings.get(who, found))
}

func (x *index) grantsEverything(b Binding) bool {
	if b.Object.Kind != "ClusterRoleBinding" {
		return false
	}
	if b.Role.Name == "cluster-admin" {
		return true
	}
	return policyrules.CoversRule(x.rulesOf(b).rules, Everything())
}

// isAccount reports whether a subject is an account. If its namespace is not set, or is a placeholder, the name decides.
func isAccount(who Subject, a objects.Account) bool {
	return who.Name == a.Name && (who.Namespace == a.Namespace || who.Namespace == "" || Templated(who.Namespace))
}

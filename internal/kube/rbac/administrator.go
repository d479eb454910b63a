package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
)

// administratorGroups are those that Kubernetes and OpenShift give to administrators.
var administratorGroups = []string{"system:masters", "system:cluster-admins"}

// OLMAccounts are the accounts of OLM v1 itself, by the manifests of operator-controller (v1.0 to v1.11, catalogd's since v1.2) and of
// OpenShift (4.18 and later). An account of the same name elsewhere is anybody's.
func OLMAccounts() []objects.Account {
	return []objects.Account{
		{Namespace: "olmv1-system", Name: "operator-controller-controller-manager"},
		{Namespace: "olmv1-system", Name: "catalogd-controller-manager"},
		{Namespace: "openshift-operator-controller", Name: "operator-controller-controller-manager"},
		{Namespace: "openshift-catalogd", Name: "catalogd-controller-manager"},
		{Namespace: "openshift-cluster-olm-operator", Name: "cluster-olm-operator"},
	}
}

// Everything is what makes a cluster-admin in effect: all that can be done to every object. The wildcard has these verbs and
// more; without the others the rest can be had, for who may create pods anywhere may run them as any account.
func Everything() rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		APIGroups: []string{rbacv1.APIGroupAll}, Resources: []string{rbacv1.ResourceAll},
		Verbs: []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
	}
}

// IsAdministrator reports whether a subject is an administrator by its group, OLM itself, or may do everything by the bindings of a unit,
// those of its groups and several together included. Of namesakes of from, only those nearest to it count.
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
	all, _ := Covers(EffectiveRules(unit, from, who).Cluster, []rbacv1.PolicyRule{Everything()})
	return all
}

// isAccount takes an account whose namespace is not written, or filled in later, for the one of that name.
func isAccount(who Subject, a objects.Account) bool {
	return who.Name == a.Name && (who.Namespace == a.Namespace || who.Namespace == "" || Templated(who.Namespace))
}

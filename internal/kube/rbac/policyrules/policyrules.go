package policyrules

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Has reports whether a list of a rule has a value, or the wildcard.
func Has(list []string, value string) bool {
	return slices.Contains(list, value) || slices.Contains(list, rbacv1.VerbAll)
}

// ClusterAdmin are the rules of cluster-admin, which the API server restores after changes.
var ClusterAdmin = []rbacv1.PolicyRule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

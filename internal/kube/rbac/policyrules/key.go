package policyrules

import (
	"slices"
	"strconv"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Key distinguishes rules by content: two rules have the same key if they are written alike. Missing and empty lists are the same.
func Key(r rbacv1.PolicyRule) string {
	var b []byte
	for _, list := range [][]string{r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs} {
		b = appendList(b, list, strconv.AppendQuote)
	}
	return string(b)
}

// Same reports whether two rules have the same key.
func Same(a, b rbacv1.PolicyRule) bool {
	return slices.Equal(a.Verbs, b.Verbs) && slices.Equal(a.APIGroups, b.APIGroups) && slices.Equal(a.Resources, b.Resources) &&
		slices.Equal(a.ResourceNames, b.ResourceNames) && slices.Equal(a.NonResourceURLs, b.NonResourceURLs)
}

package policyrules

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

func TestDistinct(t *testing.T) {
	t.Parallel()
	shared := rbacv1.PolicyRule{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods"}}
	same := rbacv1.PolicyRule{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods"}}
	other := rbacv1.PolicyRule{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"nodes"}}
	single := Breakdown([]rbacv1.PolicyRule{shared})
	rules := slices.Concat([]rbacv1.PolicyRule{shared, other, shared, same}, single, single)
	if diff := cmp.Diff(slices.Concat([]rbacv1.PolicyRule{shared, other}, single), Distinct(rules)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(rules) != 8 {
		t.Error("the argument was changed")
	}
}

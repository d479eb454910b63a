package policyrules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

func TestCompact(t *testing.T) {
	t.Parallel()
	url := rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}}
	tests := []struct {
		name        string
		rules, want []rbacv1.PolicyRule
	}{
		{"none", nil, []rbacv1.PolicyRule{}},
		{"verbs on one resource", []rbacv1.PolicyRule{rule("list", "", "pods"), rule("get", "", "pods"), rule("list", "", "pods")}, []rbacv1.PolicyRule{rule("get list", "", "pods")}},
		{"every verb", []rbacv1.PolicyRule{rule("list", "", "pods"), rule("*", "", "pods")}, []rbacv1.PolicyRule{rule("*", "", "pods")}},
		{"of one name", []rbacv1.PolicyRule{rule("list", "", "pods", "a"), rule("get", "", "pods", "a")}, []rbacv1.PolicyRule{rule("get list", "", "pods", "a")}},
		{"not of different names", []rbacv1.PolicyRule{rule("get", "", "pods", "b"), rule("get", "", "pods", "a")}, []rbacv1.PolicyRule{rule("get", "", "pods", "a"), rule("get", "", "pods", "b")}},
		{"the empty name is a name", []rbacv1.PolicyRule{rule("get", "", "pods"), rule("list", "", "pods", "")}, []rbacv1.PolicyRule{rule("get", "", "pods"), rule("list", "", "pods", "")}},
		{"not of several resources", []rbacv1.PolicyRule{rule("list", "", "a b"), rule("get", "", "a b")}, []rbacv1.PolicyRule{rule("get", "", "a b"), rule("list", "", "a b")}},
		{"not of URLs", []rbacv1.PolicyRule{url, url}, []rbacv1.PolicyRule{url, url}},
		{
			"sorted by verbs, then groups",
			[]rbacv1.PolicyRule{rule("list", "", "a"), rule("get", "b", "c"), rule("create", "z", "z"), rule("get", "a", "d")},
			[]rbacv1.PolicyRule{rule("create", "z", "z"), rule("get", "a", "d"), rule("get", "b", "c"), rule("list", "", "a")},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before := clone(test.rules)
			if diff := cmp.Diff(test.want, policyrules.Compact(test.rules)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, test.rules); diff != "" {
				t.Errorf("the rules given were changed: %s", diff)
			}
		})
	}
}

func clone(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var copies []rbacv1.PolicyRule
	for _, r := range rules {
		copies = append(copies, *r.DeepCopy())
	}
	return copies
}

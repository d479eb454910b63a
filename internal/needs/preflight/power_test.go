package preflight

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/danger"
)

func TestPowers(t *testing.T) {
	t.Parallel()
	one := func(verb, group, resource string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: names}
	}
	tests := map[string]struct {
		rule rbacv1.PolicyRule
		want []string
	}{
		"tokens":                 {one("create", "", "serviceaccounts/token"), []string{"create serviceaccounts/token"}},
		"tokens by name":         {one("create", "", "serviceaccounts/token", "robot"), nil},
		"accounts":               {one("create", "", "serviceaccounts"), nil},
		"impersonate by name":    {one("impersonate", "", "groups", "developers"), nil},
		"impersonate masters":    {one("impersonate", "", "groups", "system:masters"), []string{"impersonate groups"}},
		"users of another group": {one("impersonate", "authentication.k8s.io", "users"), nil},
		"everything":             {one("*", "*", "*"), []string{"every verb on every resource"}},
		"every verb on roles":    {one("*", "rbac.authorization.k8s.io", "roles"), []string{"escalate on roles", "bind on roles"}},
		"escalate by name":       {one("escalate", "rbac.authorization.k8s.io", "clusterroles", "x"), []string{"escalate on clusterroles"}},
		"bind by name":           {one("bind", "rbac.authorization.k8s.io", "clusterroles", "x"), nil},
		"bind of cluster-admin":  {one("bind", "rbac.authorization.k8s.io", "clusterroles", "x", "cluster-admin"), []string{"bind on clusterroles"}},
		"impersonate":            {one("impersonate", "", "groups"), []string{"impersonate groups"}},
		"reads everything":       {one("get", "*", "*"), nil},
		"every verb on pods":     {one("*", "", "pods"), nil},
	}
	for name, test := range tests {
		got := Powers([]Scoped{{Rules: []rbacv1.PolicyRule{test.rule}}})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestPowersOfTheTable checks that the direct powers of the table count, and no others.
func TestPowersOfTheTable(t *testing.T) {
	t.Parallel()
	for _, p := range danger.Powers() {
		for _, namespace := range []string{"", "n"} {
			var want []string
			if p.Reach == danger.Direct && p.EffectiveIn(namespace) {
				want = []string{p.Name}
			}
			got := Powers([]Scoped{{Namespace: namespace, Rules: []rbacv1.PolicyRule{p.Rule()}}})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %q (-want +got)\n%s", p.Name, namespace, diff)
			}
		}
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	rules := func(verbs ...string) []Scoped {
		return []Scoped{{Namespace: "n", Rules: []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"pods"}}}}}
	}
	if diff := cmp.Diff(rules("get"), Without(rules("get", "list"), rules("list"))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := Without(rules("get"), rules("get")); len(got) > 0 {
		t.Errorf("something is left: %v", got)
	}
	elsewhere := rules("get")
	elsewhere[0].Namespace = ""
	if diff := cmp.Diff(rules("get"), Without(rules("get"), elsewhere)); diff != "" {
		t.Errorf("of another namespace (-want +got)\n%s", diff)
	}
}

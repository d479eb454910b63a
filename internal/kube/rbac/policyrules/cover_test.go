package policyrules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	owner := []rbacv1.PolicyRule{rule("get list", " apps", "pods deployments"), rule("update", "apps", "*/status", "one")}
	ok, missing := policyrules.Covers(owner, []rbacv1.PolicyRule{rule("get", "apps", "pods"), rule("update", "apps", "deployments/status", "one")})
	if !ok || missing != nil {
		t.Errorf("%v, missing %v", ok, missing)
	}
	ok, missing = policyrules.Covers(owner, []rbacv1.PolicyRule{rule("get delete", "apps", "pods")})
	if diff := cmp.Diff([]rbacv1.PolicyRule{rule("delete", "apps", "pods")}, missing); ok || diff != "" {
		t.Errorf("%v: %s", ok, diff)
	}
	if ok, _ := policyrules.Covers(nil, nil); !ok {
		t.Error("nothing is not covered by nothing")
	}
}

// TestCoversHugeRules checks that rules with too many permissions to compare are covered only by cluster-admin and by the
// same rules, and that others are named.
func TestCoversHugeRules(t *testing.T) {
	t.Parallel()
	many := strings.TrimSpace(strings.Repeat("x ", 20_000))
	huge := []rbacv1.PolicyRule{rule(many, many, many, strings.Fields(many)...)}
	everything := []rbacv1.PolicyRule{rule("*", "*", "*"), {Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}}
	if ok, missing := policyrules.Covers(everything, huge); !ok || missing != nil {
		t.Error("an administrator's rules do not cover them")
	}
	if ok, missing := policyrules.Covers(huge, huge); !ok || missing != nil {
		t.Error("the same rules do not cover them")
	}
	larger := []rbacv1.PolicyRule{rule(many+" y", many, many, strings.Fields(many)...)}
	if ok, missing := policyrules.Covers(larger, huge); ok || len(missing) != 1 {
		t.Error("they were compared, or taken for covered")
	}
	missing, notCompared := policyrules.Compare(larger, append(huge, rule("get", "apps", "pods")))
	if diff := cmp.Diff([]rbacv1.PolicyRule{rule("get", "apps", "pods")}, missing); diff != "" || len(notCompared) != 1 {
		t.Errorf("%d not compared: %s", len(notCompared), diff)
	}
}

func rule(verbs, groups, resources string, names ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: strings.Fields(verbs), APIGroups: strings.Split(groups, " "), Resources: strings.Fields(resources), ResourceNames: names}
}

package rbac_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// TestAggregationGrowsWithTheRoles checks that four times the roles are four times the work, however they aggregate one
// another, and whenever each is asked about.
func TestAggregationGrowsWithTheRoles(t *testing.T) {
	for name, selector := range map[string]func(i int) string{
		"chain":          func(i int) string { return fmt.Sprintf("matchLabels: {level: l%d}", i+1) },
		"all by all":     func(int) string { return "matchLabels: {}" },
		"all but one":    func(i int) string { return fmt.Sprintf("matchExpressions: [{key: k%d, operator: DoesNotExist}]", i) },
		"two in a cycle": func(i int) string { return fmt.Sprintf("matchLabels: {level: l%d}", i^1) },
	} {
		effort := func(size int) float64 {
			var text strings.Builder
			for i := range size {
				text.WriteString(labeled(fmt.Sprint("r", i), fmt.Sprintf("level: l%d", i), "[]"))
				text.WriteString("aggregationRule: {clusterRoleSelectors: [{" + selector(i) + "}]}\n")
			}
			text.WriteString(labeled("leaf", fmt.Sprintf("level: l%d", size), on("leaves")))
			objs := objectstest.Objects(t, tree{"a.yaml": text.String()})
			return testing.AllocsPerRun(1, func() {
				u := assembly.Units(objs, nil)[0]
				for i := range size {
					rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: fmt.Sprint("r", i)}, nil)
				}
			})
		}
		if small, large := effort(100), effort(400); large > 5*small {
			t.Errorf("%s: %.0f allocations for 100 roles, %.0f for 400", name, small, large)
		}
	}
}

// TestAggregationInACycleOfWrittenRules checks that rules written in roles of a cycle are unknown: the result depends on
// which role the controller processes first.
func TestAggregationInACycleOfWrittenRules(t *testing.T) {
	t.Parallel()
	circle := func(name, label, selected, rules string) string {
		return labeled(name, "circle: "+label, rules) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {circle: " + selected + "}}]}\n"
	}
	u := objectstest.Plain(t, tree{"a.yaml": circle("a", "a", "b", on("apples")) + circle("b", "b", "a", "[]") + aggregated("outside", "matchLabels: {circle: b}")})
	for _, name := range []string{"a", "b", "outside"} {
		if rules, known, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: name}, nil); known || len(rules) > 0 {
			t.Errorf("%s: %v, known %v", name, rules, known)
		}
	}
}

// TestUndeterminedRolesAreTheirOwnUnknown checks that a role in a cycle with written rules is itself unknown, not only the role
// that contains the rules, and that a role outside the cycle is aggregated from an unknown one.
func TestUndeterminedRolesAreTheirOwnUnknown(t *testing.T) {
	t.Parallel()
	cycle := func(name, selected, rules string) string {
		return labeled(name, "cycle: "+name, rules) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {cycle: " + selected + "}}]}\n"
	}
	u := objectstest.Plain(t, tree{"a.yaml": cycle("a", "b", on("apples")) + cycle("b", "a", "[]") + aggregated("outside", "matchLabels: {cycle: b}")})
	for _, o := range u.Objects {
		want := o.Name
		if o.Name == "outside" {
			want = "a" // which contains the rules
		}
		granted, ok := rbac.GrantedBy(u, o)
		if diff := cmp.Diff([]rbac.RoleRef{{Kind: "ClusterRole", Name: want}}, granted.Unknown); !ok || diff != "" {
			t.Errorf("%s: %v %s", o.Name, ok, diff)
		}
	}
}

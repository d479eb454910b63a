package rbac_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// on returns rules that allow getting resources, one rule each.
func on(resources ...string) string {
	var rules []string
	for _, resource := range resources {
		rules = append(rules, "{verbs: [get], apiGroups: [''], resources: ["+resource+"]}")
	}
	return "[" + strings.Join(rules, ", ") + "]"
}

// resources returns the resources of single-resource rules, in order.
func resources(rules []rbacv1.PolicyRule) string {
	var all []string
	for _, rule := range rules {
		all = append(all, rule.Resources...)
	}
	return strings.Join(all, " ")
}

func TestAggregation(t *testing.T) {
	t.Parallel()
	parts := labeled("b", "team: red, tier: web", on("bananas")) + labeled("a", "team: blue", on("apples")) +
		labeled("c", "team: red", on("cherries", "bananas")) + clusterRole("plain", on("plums"))
	tests := []struct{ name, text, want string }{
		{"by label, sorted by name, each rule once", aggregated("whole", "matchLabels: {team: red}"), "bananas cherries"},
		{"all labels", aggregated("whole", "matchLabels: {team: red, tier: web}"), "bananas"},
		{"several selectors, in their order", aggregated("whole", "matchLabels: {tier: web}", "matchLabels: {team: blue}"), "bananas apples"},
		{"In", aggregated("whole", "matchExpressions: [{key: team, operator: In, values: [blue, green]}]"), "apples"},
		{"Exists", aggregated("whole", "matchExpressions: [{key: tier, operator: Exists}]"), "bananas"},
		{"NotIn and Exists", aggregated("whole", "matchExpressions: [{key: team, operator: Exists}, {key: team, operator: NotIn, values: [red]}]"), "apples"},
		{"DoesNotExist", aggregated("whole", "matchLabels: {team: red}, matchExpressions: [{key: tier, operator: DoesNotExist}]"), "cherries bananas"},
		{"nobody", aggregated("whole", "matchLabels: {team: green}"), ""},
		{"itself does not count", labeled("whole", "team: blue", on("own")) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {team: blue}}]}\n", "apples"},
		{
			"written rules are overwritten",
			clusterRole("whole", on("own")) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {tier: web}}]}\n", "bananas",
		},
		{
			"written rules stay where nothing overwrites them",
			clusterRole("whole", on("own")) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {team: green}}]}\n", "own",
		},
		{
			"written rules of one that is chosen stay where nothing overwrites them",
			aggregated("whole", "matchLabels: {level: one}") + labeled("one", "level: one", on("own")) +
				"aggregationRule: {clusterRoleSelectors: [{matchLabels: {team: green}}]}\n", "own",
		},
		{
			"nested",
			aggregated("whole", "matchLabels: {level: one}") + labeled("one", "level: one", on("own")) +
				"aggregationRule: {clusterRoleSelectors: [{matchLabels: {tier: web}}]}\n", "bananas",
		},
		{
			"in a circle",
			labeled("whole", "circle: x", "[]") + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {circle: w}}]}\n" +
				labeled("other", "circle: w", "[]") + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {circle: x}}, {matchLabels: {tier: web}}]}\n", "bananas",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u := objectstest.Plain(t, tree{"a.yaml": parts + test.text})
			rules, known, partial := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: "whole"}, nil)
			if got := resources(rules); got != test.want || !known || !partial {
				t.Errorf("%q, known %v, partial %v, want %q", got, known, partial, test.want)
			}
		})
	}
}

// TestAggregationOfBuiltinRoles checks that a label that only the built-in roles have selects these.
func TestAggregationOfBuiltinRoles(t *testing.T) {
	t.Parallel()
	u := objectstest.Plain(t, tree{"a.yaml": aggregated("mine", "matchLabels: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}")})
	mine, _, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: "mine"}, nil)
	view, _, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: "view"}, nil)
	if diff := cmp.Diff(view, mine); diff != "" || len(mine) == 0 {
		t.Error(diff)
	}
}

func TestAggregationTakesTheNearest(t *testing.T) {
	t.Parallel()
	part := func(resource string) string { return labeled("part", "part-of: whole", on(resource)) }
	whole := aggregated("whole", "matchLabels: {part-of: whole}")
	bound := clusterBinding("b", "ClusterRole, name: whole", installerSubject)
	tests := []struct {
		name    string
		tree    tree
		want    string
		unknown []rbac.RoleRef
	}{
		{"of the folder", tree{"prod/a.yaml": bound, "prod/p.yaml": part("prods"), "dev/p.yaml": part("devs"), "whole.yaml": whole}, "prods", nil},
		{"wherever it lies", tree{"prod/a.yaml": bound, "dev/p.yaml": part("devs"), "whole.yaml": whole}, "devs", nil},
		{
			"of several equally near nobody can tell",
			tree{"a.yaml": bound, "prod/p.yaml": part("prods"), "dev/p.yaml": part("devs"), "whole.yaml": whole}, "",
			[]rbac.RoleRef{{Kind: "ClusterRole", Name: "part"}},
		},
		{
			"a nearer namesake without the label",
			tree{"prod/a.yaml": bound, "prod/p.yaml": clusterRole("part", on("prods")), "dev/p.yaml": part("devs"), "whole.yaml": whole}, "", nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := rbac.EffectiveFor(objectstest.Plain(t, test.tree), nil, installer.Identity())
			if resources(got.Cluster) != test.want {
				t.Errorf("%q, want %q", resources(got.Cluster), test.want)
			}
			if diff := cmp.Diff(test.unknown, got.Unknown); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBrokenRoles checks that the rules of a broken role, and of roles aggregated from it, are unknown.
func TestBrokenRoles(t *testing.T) {
	t.Parallel()
	bad := "{clusterRoleSelectors: "
	tests := map[string]struct {
		text    string
		unknown string
	}{
		"a part that cannot be read": {aggregated("whole", "matchLabels: {x: z}") + labeled("part", "x: z", "all"), "part"},
		"a part that is refused":     {aggregated("whole", "matchLabels: {x: z}") + labeled("part", "x: z", "[{verbs: [get]}]"), "part"},
		"a part that cannot be read, and rules that it can overwrite": {
			clusterRole("whole", on("own")) + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {x: z}}]}\n" + labeled("part", "x: z", "all"), "part",
		},
		"no selector":                 {clusterRole("whole", "[]") + "aggregationRule: " + bad + "[]}\n", "whole"},
		"no list of selectors":        {clusterRole("whole", "[]") + "aggregationRule: " + bad + "all}\n", "whole"},
		"no mapping":                  {clusterRole("whole", "[]") + "aggregationRule: all\n", "whole"},
		"an unknown operator":         {aggregated("whole", "matchExpressions: [{key: x, operator: Like, values: [z]}]"), "whole"},
		"an unknown field":            {aggregated("whole", "matchLabel: {x: z}"), "whole"},
		"an invalid label":            {aggregated("whole", "matchLabels: {x: '${TEAM}'}"), "whole"},
		"rules beside it are refused": {clusterRole("whole", "[{verbs: []}]") + "aggregationRule: {clusterRoleSelectors: [{}]}\n", "whole"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := objectstest.Plain(t, tree{"a.yaml": test.text + clusterBinding("b", "ClusterRole, name: whole", installerSubject)})
			got := rbac.EffectiveFor(u, nil, installer.Identity())
			if diff := cmp.Diff([]rbac.RoleRef{{Kind: "ClusterRole", Name: test.unknown}}, got.Unknown); diff != "" || len(got.Cluster) > 0 {
				t.Errorf("%v %s", got.Cluster, diff)
			}
			if problems := rbac.Problems(u); len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "a.yaml:") {
				t.Errorf("problems %v", problems)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[{verbs: [], apiGroups: [''], resources: [pods]}]":                       `a.yaml:5:9: ClusterRole "r": a rule needs verbs`,
		"[{verbs: [get], resources: [pods]}]":                                     `a.yaml:5:9: ClusterRole "r": a rule with resources needs apiGroups`,
		"[{verbs: [get], apiGroups: ['']}]":                                       `a.yaml:5:9: ClusterRole "r": a rule needs resources`,
		"[{verbs: [get], apiGroups: [''], resources: [a], nonResourceURLs: [/]}]": `a.yaml:5:9: ClusterRole "r": a rule cannot have both resources and nonResourceURLs`,
		"everything": `a.yaml:5:1: ClusterRole "r": rules is not a list`,
	} {
		problems := rbac.Problems(objectstest.Plain(t, tree{"a.yaml": clusterRole("r", text)}))
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
	urls := "[{verbs: [get], nonResourceURLs: [/metrics]}]"
	if problems := rbac.Problems(objectstest.Plain(t, tree{"a.yaml": role("r", "x", urls) + clusterRole("r", urls)})); len(problems) != 1 {
		t.Errorf("URLs in a Role: %v", problems)
	}
}

// TestAggregationInALongChain aggregates each role of a chain from the next.
func TestAggregationInALongChain(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	const length = 2000
	for i := range length {
		text.WriteString(labeled(fmt.Sprint("r", i), fmt.Sprintf("level: l%d", i), "[]"))
		fmt.Fprintf(&text, "aggregationRule: {clusterRoleSelectors: [{matchLabels: {level: l%d}}]}\n", i+1)
	}
	text.WriteString(labeled("leaf", fmt.Sprintf("level: l%d", length), on("leaves")))
	u := objectstest.Plain(t, tree{"a.yaml": text.String()})
	if rules, _, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: "r0"}, nil); resources(rules) != "leaves" {
		t.Errorf("%v", rules)
	}
}

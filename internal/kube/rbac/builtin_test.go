package rbac_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

func rulesOf(t *testing.T, u *objects.Unit, name string) []rbacv1.PolicyRule {
	t.Helper()
	rules, known, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: name}, nil)
	if !known {
		t.Errorf("%s is not known", name)
	}
	return rules
}

func allows(rules []rbacv1.PolicyRule, r rbac.Request) bool {
	for _, rule := range rules {
		if rbac.Allows(rule, r) {
			return true
		}
	}
	return false
}

func TestBuiltinRoles(t *testing.T) {
	t.Parallel()
	u := &objects.Unit{Kind: objects.PlainUnit}
	for name, test := range map[string]struct {
		may, mayNot rbac.Request
		partial     bool
	}{
		"cluster-admin": {rbac.Request{Verb: "get", Path: "/x"}, rbac.Request{}, false},
		"admin":         {rbac.Request{Verb: "create", Group: rbac.Group, Resource: "roles"}, rbac.Request{Verb: "bind", Group: rbac.Group, Resource: "roles"}, true},
		"edit":          {rbac.Request{Verb: "get", Resource: "secrets"}, rbac.Request{Verb: "get", Group: rbac.Group, Resource: "roles"}, true},
		"view":          {rbac.Request{Verb: "get", Resource: "pods"}, rbac.Request{Verb: "get", Resource: "secrets"}, true},
		"system:auth-delegator": {
			rbac.Request{Verb: "create", Group: "authentication.k8s.io", Resource: "tokenreviews"}, rbac.Request{Verb: "get", Resource: "pods"}, false,
		},
	} {
		rules := rulesOf(t, u, name)
		if !allows(rules, test.may) || test.mayNot.Verb != "" && allows(rules, test.mayNot) {
			t.Errorf("%s: %v", name, rules)
		}
		if _, _, partial := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: name}, nil); partial != test.partial {
			t.Errorf("%s: partial %v", name, partial)
		}
	}
	for smaller, larger := range map[string]string{"view": "edit", "edit": "admin", "admin": "cluster-admin"} {
		if ok, missing := policyrules.Covers(rulesOf(t, u, larger), rulesOf(t, u, smaller)); !ok {
			t.Errorf("%s lacks %v of %s", larger, missing, smaller)
		}
	}
	for _, ref := range []rbac.RoleRef{
		{Kind: "ClusterRole", Name: "system:nobody"},
		{Kind: "ClusterRole", Name: "system:controller:none"},
		{Kind: "Role", Name: "view", Namespace: "x"},
		{Kind: "Role", Name: "extension-apiserver-authentication-reader", Namespace: "x"},
		{Kind: "ClusterRole", Name: "extension-apiserver-authentication-reader"},
	} {
		if rules, known, _ := rbac.RoleRulesOf(u, ref, nil); known || rules != nil {
			t.Errorf("%v is known: %v", ref, rules)
		}
	}
}

// TestBuiltinRolesByVersion counts the roles with default feature gates, and checks what versions added to and removed from them.
//
// Source: the lists in plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata of each version.
func TestBuiltinRolesByVersion(t *testing.T) {
	t.Parallel()
	in := func(versions kubeversion.Range) *objects.Unit {
		return &objects.Unit{Kind: objects.PlainUnit, Kubernetes: func() kubeversion.Range { return versions }}
	}
	for version, want := range map[kubeversion.Version]int{31: 71, 33: 73, 34: 75, 36: 76, 37: 80} {
		if got := len(rbac.BuiltinRoles(kubeversion.Exactly(version))); got != want {
			t.Errorf("Kubernetes %s has %d roles, want %d", version, got, want)
		}
	}
	leader := rbac.RoleRef{Kind: "Role", Name: "system::leader-locking-kube-scheduler", Namespace: "kube-system"}
	request := rbac.Request{Verb: "update", Resource: "configmaps", Name: "kube-scheduler", Namespace: "kube-system"}
	for name, test := range map[string]struct {
		versions kubeversion.Range
		want     bool
	}{
		"before the rule was removed": {kubeversion.Exactly(34), true},
		"after":                       {kubeversion.Exactly(35), false},
		"not in all of them":          {kubeversion.AtLeast(34), false},
		"unknown":                     {kubeversion.Range{}, false},
	} {
		rules, known, _ := rbac.RoleRulesOf(in(test.versions), leader, nil)
		if !known || allows(rules, request) != test.want {
			t.Errorf("%s: known %t, allowed %t", name, known, allows(rules, request))
		}
	}
}

// TestRolesThatExtendBuiltinOnes checks that a role in the repository extends the built-in ones that its label names, and
// the larger ones that include these.
func TestRolesThatExtendBuiltinOnes(t *testing.T) {
	t.Parallel()
	const to = "rbac.authorization.k8s.io/aggregate-to-"
	u := objectstest.Plain(t, tree{"a.yaml": labeled("viewer", to+"view: 'true'", on("vines")) + labeled("editor", to+"edit: 'true'", on("elms")) +
		labeled("admin-too", to+"admin: 'true'", on("ashes")) + labeled("not", to+"view: 'false'", on("nuts"))})
	for name, want := range map[string]string{"view": "vines", "edit": "elms vines", "admin": "ashes elms vines", "cluster-admin": "ashes elms vines nuts"} {
		var got []string
		for _, resource := range []string{"ashes", "elms", "vines", "nuts"} {
			if allows(rulesOf(t, u, name), rbac.Request{Verb: "get", Resource: resource}) {
				got = append(got, resource)
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestManifestsOfBuiltinRoles checks that the API server adds to its own roles what a manifest leaves out, unless
// reconciliation is turned off.
func TestManifestsOfBuiltinRoles(t *testing.T) {
	t.Parallel()
	pods := rbac.Request{Verb: "get", Resource: "pods"}
	own := rbac.Request{Verb: "get", Resource: "owns"}
	label := "rbac.authorization.k8s.io/aggregate-to-edit: 'false'"
	alone := func(text string) string {
		return strings.Replace(text, "metadata: {", "metadata: {annotations: {rbac.authorization.kubernetes.io/autoupdate: 'false'}, ", 1)
	}
	for name, test := range map[string]struct {
		text, role string
		pods, own  bool
	}{
		"rules beside an aggregation are overwritten": {clusterRole("view", on("owns")), "view", true, false},
		"rules of another are added to":               {clusterRole("system:aggregate-to-view", on("owns")), "view", true, true},
		"left alone":                                  {alone(clusterRole("view", on("owns"))), "view", false, true},
		"left alone, and part of another":             {alone(labeled("view", "rbac.authorization.k8s.io/aggregate-to-edit: 'true'", on("owns"))), "edit", false, true},
		"the aggregation of a role that has none is removed": {
			aggregated("system:aggregate-to-view", "matchLabels: {part: of}") + labeled("mine", "part: of", on("owns")),
			"system:aggregate-to-view", true, false,
		},
		"the aggregation of another is added to": {
			aggregated("view", "matchLabels: {part: of}") + labeled("mine", "part: of", on("owns")), "view", true, true,
		},
		"a removed label": {labeled("view", label, on("owns")), "edit", false, false},
	} {
		rules := rulesOf(t, objectstest.Plain(t, tree{"a.yaml": test.text}), test.role)
		if allows(rules, pods) != test.pods || allows(rules, own) != test.own {
			t.Errorf("%s: pods %v, owns %v", name, allows(rules, pods), allows(rules, own))
		}
	}
}

package rbac_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

var getPods = rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}

func TestRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]rbacv1.PolicyRule{
		"null": nil,
		"[]":   {},
		"[{verbs: [get], apiGroups: [\"\"], resources: [pods], resourceNames: []}]":           {getPods},
		"[{verbs: [get], apiGroups: [\"\"], resources: [pods], resourceNames: null}]":         {getPods},
		"[{verbs: ['*'], nonResourceURLs: [/healthz]}]":                                       {{Verbs: []string{"*"}, NonResourceURLs: []string{"/healthz"}}},
		"[{verbs: &v [get], apiGroups: [''], resources: [pods]}, {verbs: *v}]":                {getPods, {Verbs: []string{"get"}}},
		"[{verbs: [get], apiGroups: [a], resources: [b, c/status], resourceNames: ['${X}']}]": {{Verbs: []string{"get"}, APIGroups: []string{"a"}, Resources: []string{"b", "c/status"}, ResourceNames: []string{"${X}"}}},
	} {
		object := objectstest.Objects(t, tree{"a.yaml": clusterRole("r", text)})[0]
		got, err := rbac.Rules(object)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestRulesWithoutTheField(t *testing.T) {
	t.Parallel()
	object := objectstest.Objects(t, tree{"a.yaml": "kind: ClusterRole\nmetadata: {name: r}\n"})[0]
	if rules, err := rbac.Rules(object); err != nil || rules != nil {
		t.Errorf("%v, %v", rules, err)
	}
}

func TestMalformedRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rules: all":                     `a.yaml:3:1: ClusterRole "r": rules is not a list`,
		"rules:\n- get":                  `a.yaml:4:3: ClusterRole "r": a rule must be a mapping`,
		"rules:\n- verbs: get":           `a.yaml:4:3: ClusterRole "r": verbs is not a list of strings`,
		"rules:\n- verbs: [get, 7]":      `a.yaml:4:3: ClusterRole "r": verbs is not a list of strings`,
		"rules:\n- verbs: [[get]]":       `a.yaml:4:3: ClusterRole "r": verbs is not a list of strings`,
		"rules:\n- verbs: []\n  api: []": `a.yaml:5:3: ClusterRole "r": unknown field "api"`,
	} {
		object := objectstest.Objects(t, tree{"a.yaml": "kind: ClusterRole\nmetadata: {name: r}\n" + text + "\n"})[0]
		_, err := rbac.Rules(object)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func TestEffectiveRules(t *testing.T) {
	t.Parallel()
	const pods = "[{verbs: [get], apiGroups: [''], resources: [pods]}, {verbs: [get], nonResourceURLs: [/metrics]}]"
	metrics := rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}}
	tests := []struct {
		name, text string
		want       rbac.Effective
	}{
		{"nothing", clusterRole("r", pods), rbac.Effective{}},
		{
			"cluster-wide, twice",
			clusterRole("r", pods) + clusterBinding("a", "ClusterRole, name: r", installerSubject) + clusterBinding("b", "ClusterRole, name: r", installerSubject),
			rbac.Effective{Cluster: []rbacv1.PolicyRule{getPods, metrics}},
		},
		{
			"in a namespace",
			clusterRole("r", pods) + roleBinding("a", "x", "ClusterRole, name: r", installerSubject),
			rbac.Effective{Namespaces: map[string][]rbacv1.PolicyRule{"x": {getPods, metrics}}},
		},
		{
			"in an unknown namespace",
			clusterRole("r", pods) + roleBinding("a", "null", "ClusterRole, name: r", installerSubject),
			rbac.Effective{Namespaces: map[string][]rbacv1.PolicyRule{"?": {getPods, metrics}}},
		},
		{
			"roles that are not there, malformed or aggregated",
			clusterRole("bad", "all") + clusterRole("many", "[]\naggregationRule: {clusterRoleSelectors: []}") +
				clusterBinding("a", "ClusterRole, name: none", installerSubject) + clusterBinding("b", "ClusterRole, name: bad", installerSubject) +
				clusterBinding("c", "ClusterRole, name: many", installerSubject) + roleBinding("d", "x", "Role, name: none", installerSubject) +
				roleBinding("e", "y", "ClusterRole, name: none", installerSubject),
			rbac.Effective{Unknown: []rbac.RoleRef{
				{Kind: "ClusterRole", Name: "bad"}, {Kind: "ClusterRole", Name: "many"}, {Kind: "ClusterRole", Name: "none"},
				{Kind: "Role", Name: "none", Namespace: "x"},
			}},
		},
		{
			"cluster-admin is known",
			clusterBinding("a", "ClusterRole, name: cluster-admin", installerSubject),
			rbac.Effective{Cluster: []rbacv1.PolicyRule{
				{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}}, {Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
			}},
		},
		{
			"others can add to an aggregated role",
			labeled("part", "part-of: whole", pods) + aggregated("whole", "matchLabels: {part-of: whole}") +
				clusterBinding("a", "ClusterRole, name: whole", installerSubject),
			rbac.Effective{Cluster: []rbacv1.PolicyRule{getPods, metrics}, Partial: []rbac.RoleRef{{Kind: "ClusterRole", Name: "whole"}}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.want.Namespaces == nil {
				test.want.Namespaces = map[string][]rbacv1.PolicyRule{}
			}
			got := rbac.EffectiveRules(objectstest.Plain(t, tree{"a.yaml": test.text}), nil, installer)
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(rbac.Effective{}, "Uncertain")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBuiltin(t *testing.T) {
	t.Parallel()
	for ref, want := range map[rbac.RoleRef]bool{
		{Kind: "ClusterRole", Name: "cluster-admin"}:  true,
		{Kind: "ClusterRole", Name: "admin"}:          true,
		{Kind: "ClusterRole", Name: "edit"}:           true,
		{Kind: "ClusterRole", Name: "view"}:           true,
		{Kind: "ClusterRole", Name: "viewer"}:         false,
		{Kind: "Role", Name: "admin", Namespace: "x"}: false,
	} {
		if ref.Builtin() != want {
			t.Errorf("%v: %v", ref, !want)
		}
	}
}

func rule(verbs, groups, resources string, names ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: strings.Fields(verbs), APIGroups: strings.Split(groups, " "), Resources: strings.Fields(resources), ResourceNames: names}
}

func TestIsClusterAdmin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules []rbacv1.PolicyRule
		want  bool
	}{
		"by any name":        {[]rbacv1.PolicyRule{rule("*", "*", "*")}, true},
		"among other things": {[]rbacv1.PolicyRule{getPods, rule("* get", "* apps", "pods *")}, true},
		"none":               {nil, false},
		"of one group":       {[]rbacv1.PolicyRule{rule("*", "apps", "*")}, false},
		"to read":            {[]rbacv1.PolicyRule{rule("get list watch", "*", "*")}, false},
		"by name":            {[]rbacv1.PolicyRule{rule("*", "*", "*", "one")}, false},
		"of different rules": {[]rbacv1.PolicyRule{rule("*", "apps", "*"), rule("get", "*", "*")}, false},
		"URLs alone":         {[]rbacv1.PolicyRule{{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}}, false},
	} {
		if got := rbac.IsClusterAdmin(test.rules); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

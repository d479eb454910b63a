package permission_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

func rule(verb string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{""}, Resources: resources}
}

func effect(scope string, rules ...rbacv1.PolicyRule) permission.Effect {
	var e permission.Effect
	e.Add(scope, rules)
	return e
}

var edit = rbac.RoleRef{Kind: "ClusterRole", Name: "edit"}

func named(scope string) permission.Effect {
	var e permission.Effect
	e.AddRole(rbac.Grant{Role: edit, Scope: scope})
	return e
}

func TestWithout(t *testing.T) {
	t.Parallel()
	url := rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}}
	for name, c := range map[string]struct {
		have    permission.Effect
		without []permission.Effect
		want    permission.Effect
	}{
		"the same":                             {effect("", rule("get", "pods")), []permission.Effect{effect("", rule("get", "pods"))}, permission.Effect{}},
		"a wildcard covers":                    {effect("a", rule("get", "pods")), []permission.Effect{effect("a", rule("*", "*"))}, permission.Effect{}},
		"the whole cluster covers a namespace": {effect("a", rule("get", "pods")), []permission.Effect{effect("", rule("get", "pods"))}, permission.Effect{}},
		"a namespace does not cover another":   {effect("a", rule("get", "pods")), []permission.Effect{effect("b", rule("get", "pods"))}, effect("a", rule("get", "pods"))},
		"a namespace is not the whole cluster": {effect("", rule("get", "pods")), []permission.Effect{effect("a", rule("get", "pods"))}, effect("", rule("get", "pods"))},
		"two together cover":                   {effect("a", rule("get", "pods"), rule("list", "pods")), []permission.Effect{effect("a", rule("get", "pods")), effect("", rule("list", "pods"))}, permission.Effect{}},
		"URLs are only granted cluster-wide":   {effect("a", url), nil, permission.Effect{}},
		"a URL":                                {effect("", url), nil, effect("", url)},
		"a rule without verbs grants nothing":  {effect("", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods"}}), nil, permission.Effect{}},
		"what is left of a rule": {
			effect("", rule("get", "pods", "secrets")), []permission.Effect{effect("", rule("get", "pods"))}, effect("", rule("get", "secrets")),
		},
		"nothing to subtract":       {effect("", rule("get", "pods", "secrets")), []permission.Effect{effect("a", rule("get", "pods"))}, effect("", rule("get", "pods", "secrets"))},
		"a role by name":            {named("a"), []permission.Effect{named("")}, permission.Effect{}},
		"a role known by name only": {named("a"), []permission.Effect{effect("", rule("*", "*"))}, named("a")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, c.have.Without(c.without...), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	gained := effect("", rule("list", "pods"), rule("get", "pods")).Join(effect("a", rule("get", "pods"), rule("get", "nodes")))
	got := permission.Scopes(gained, named("a"))
	want := []permission.Scope{
		{Added: []rbacv1.PolicyRule{{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods"}}}},
		{Namespace: "a", Added: []rbacv1.PolicyRule{rule("get", "nodes")}, RemovedRoles: []rbac.RoleRef{edit}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var (
	jane = rbac.Subject{Kind: rbac.KindUser, Name: "jane"}
	john = rbac.Subject{Kind: rbac.KindUser, Name: "john"}
	kim  = rbac.Subject{Kind: rbac.KindUser, Name: "kim"}
)

func identity(s rbac.Subject, unit string, gained, lost permission.Effect) permission.Identity {
	return permission.Identity{
		Subject: s, Difference: permission.Differ(gained, lost), Context: permission.Context{Kustomizations: []string{unit}, Why: []string{"fix " + unit}},
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	pods, nodes := effect("", rule("get", "pods")), effect("", rule("get", "nodes"))
	extension := permission.Extension{Name: "argocd", From: jane, To: john}
	got := permission.Merge(
		permission.Report{Identities: []permission.Identity{identity(john, "b", pods, nodes)}, Extensions: []permission.Extension{extension}},
		permission.Report{Made: true, Identities: []permission.Identity{identity(jane, "a", pods, nodes), identity(john, "a", pods, nodes), identity(jane, "a", nodes, pods)},
			Extensions: []permission.Extension{extension}},
	)
	both := identity(john, "a", pods, nodes)
	both.Kustomizations, both.Why = []string{"a", "b"}, []string{"fix a", "fix b"}
	want := permission.Report{
		Made:       true,
		Identities: []permission.Identity{identity(jane, "a", nodes, pods), identity(jane, "a", pods, nodes), both},
		Extensions: []permission.Extension{extension},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFollow checks that a change that the second run reverts is not a difference.
func TestFollow(t *testing.T) {
	t.Parallel()
	pods, nodes, none := effect("", rule("get", "pods")), effect("", rule("get", "nodes")), permission.Effect{}
	first := permission.Report{
		Identities: []permission.Identity{identity(jane, "a", pods, none), identity(john, "a", pods, nodes)},
		Extensions: []permission.Extension{{Name: "back", From: jane, To: john}, {Name: "on", From: jane, To: john, Difference: permission.Differ(pods, none)}},
	}
	second := permission.Report{
		Identities: []permission.Identity{identity(jane, "a", none, pods), identity(john, "a", nodes, none), identity(kim, "a", pods, none)},
		Extensions: []permission.Extension{{Name: "back", From: john, To: jane}, {Name: "on", From: john, To: kim, Difference: permission.Differ(none, pods)}},
	}
	want := permission.Report{
		Identities: []permission.Identity{identity(john, "a", pods, none), identity(kim, "a", pods, none)},
		Extensions: []permission.Extension{{Name: "on", From: jane, To: kim}},
	}
	if diff := cmp.Diff(want, first.Follow(second), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRuleTexts(t *testing.T) {
	t.Parallel()
	rules := []rbacv1.PolicyRule{
		{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
		{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
		{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods", "pods/log"}},
		{Verbs: []string{"get", "list"}, APIGroups: []string{"apps"}, Resources: []string{"deployments/scale", "*"}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"one", "two", "three"}},
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/metrics"}},
	}
	want := []string{
		"every verb on every resource, every URL", "get, list pods, pods/log, deployments.apps/scale, *.apps",
		"get secrets (named one, two, three)", "get /metrics",
	}
	if diff := cmp.Diff(want, permission.RuleTexts(rules, 0)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want[1], want[2] = "get, list pods, pods/log and 2 more", "get secrets (named one, two and 1 more)"
	if diff := cmp.Diff(want, permission.RuleTexts(rules, 2)); diff != "" {
		t.Errorf("with two items (-want +got)\n%s", diff)
	}
}

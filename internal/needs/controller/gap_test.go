package controller

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

func TestActingFor(t *testing.T) {
	t.Parallel()
	token := rbacv1.PolicyRule{Verbs: []string{"create"}, APIGroups: []string{""}, Resources: []string{"serviceaccounts/token"}, ResourceNames: []string{"puffin-installer"}}
	user := rbacv1.PolicyRule{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{"users"}, ResourceNames: []string{"olm:clusterextension:puffin"}}
	group := rbacv1.PolicyRule{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{"groups"}, ResourceNames: []string{"olm:clusterextensions"}}
	for name, test := range map[string]struct {
		user, condition string
		lack            Lack
		needs           []preflight.Scoped
	}{
		"an account":               {"system:serviceaccount:sea:puffin-installer", "", Tokens, []preflight.Scoped{{Namespace: "sea", Rules: []rbacv1.PolicyRule{token}}}},
		"a synthetic user":         {"olm:clusterextension:puffin", "", Impersonation, []preflight.Scoped{{Rules: []rbacv1.PolicyRule{user}}, {Rules: []rbacv1.PolicyRule{group}}}},
		"only with a gate":         {"olm:clusterextension:puffin", "if the gate is on", Nothing, nil},
		"another extension":        {"olm:clusterextension:gull", "", Nothing, nil},
		"a user of the repository": {"alice", "", Nothing, nil},
	} {
		lack, needs := actingFor(&installer.Installer{Extension: "puffin", Identity: rbac.Identity{User: test.user}, Condition: test.condition})
		if lack != test.lack || cmp.Diff(test.needs, needs) != "" {
			t.Errorf("%s: it lacks %q\n%s", name, lack, cmp.Diff(test.needs, needs))
		}
	}
}

func TestCanInstall(t *testing.T) {
	t.Parallel()
	deployments := []rbacv1.PolicyRule{rule("create", "apps", "deployments")}
	for name, test := range map[string]struct {
		held rbac.Effective
		want bool
	}{
		"nothing":                           {},
		"Deployments in its namespace":      {rbac.Effective{Namespaces: map[string][]rbacv1.PolicyRule{"sea": deployments}}, true},
		"Deployments in another namespace":  {rbac.Effective{Namespaces: map[string][]rbacv1.PolicyRule{"shore": deployments}}, false},
		"CustomResourceDefinitions":         {rbac.Effective{Cluster: []rbacv1.PolicyRule{rule("create", "apiextensions.k8s.io", "customresourcedefinitions")}}, true},
		"one Deployment by name":            {rbac.Effective{Cluster: []rbacv1.PolicyRule{named(deployments[0], "puffin")}}, false},
		"to read CustomResourceDefinitions": {rbac.Effective{Cluster: []rbacv1.PolicyRule{rule("get", "apiextensions.k8s.io", "customresourcedefinitions")}}, false},
	} {
		if got := canInstall(test.held, "sea"); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

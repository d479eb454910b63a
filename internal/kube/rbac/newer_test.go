package rbac_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

const viewers = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: viewers, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: ada}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: monitors}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:monitoring}
subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: ada}]
`

// TestDefaultRolesOfVersions checks requests that a default role allows since a version, in clusters of one version and in those
// whose version is unknown, or known in part.
func TestDefaultRolesOfVersions(t *testing.T) {
	t.Parallel()
	events := rbac.Request{Verb: "list", Group: "events.k8s.io", Resource: "events", Namespace: "shop"}
	claims := rbac.Request{Verb: "list", Group: "resource.k8s.io", Resource: "resourceclaims", Namespace: "shop"}
	status := rbac.Request{Verb: "get", Path: "/statusz"}
	for name, test := range map[string]struct {
		versions kubeversion.Range
		request  rbac.Request
		allowed  bool
		since    kubeversion.Version
	}{
		"1.33 has no claims":        {kubeversion.Exactly(33), claims, false, 0},
		"1.34 has claims":           {kubeversion.Exactly(34), claims, true, 0},
		"1.34 has no events":        {kubeversion.Exactly(34), events, false, 0},
		"1.35 has events":           {kubeversion.Exactly(35), events, true, 0},
		"1.40 has events":           {kubeversion.Exactly(40), events, true, 0},
		"1.20 has no events":        {kubeversion.Exactly(20), events, false, 0},
		"1.35 or later":             {kubeversion.AtLeast(35), events, true, 0},
		"1.34 or later":             {kubeversion.AtLeast(34), events, false, 35},
		"unknown, events":           {kubeversion.Range{}, events, false, 35},
		"unknown, claims":           {kubeversion.Range{}, claims, false, 34},
		"unknown, not aggregated":   {kubeversion.Range{}, status, false, 36},
		"1.35, not aggregated":      {kubeversion.Exactly(35), status, false, 0},
		"between without the newer": {kubeversion.Exactly(32).Join(kubeversion.Exactly(34)), events, false, 0},
	} {
		u := objectstest.Plain(t, tree{"a.yaml": viewers})
		u.Kubernetes = func() kubeversion.Range { return test.versions }
		answer := rbac.Ask(u, nil, rbac.Identity{User: "ada"}, test.request)
		var since kubeversion.Version
		for _, n := range answer.Newer {
			since = n.Since
		}
		if answer.Allowed != test.allowed || since != test.since {
			t.Errorf("%s: allowed %t since %v, want %t since %v", name, answer.Allowed, since, test.allowed, test.since)
		}
		holders, _, newer := rbac.WhoCan(u, test.request)
		if len(holders) > 0 != test.allowed || len(newer) > 0 != (test.since > 0) {
			t.Errorf("%s: holders %v, newer %v", name, holders, newer)
		}
	}
}

func TestDefaultBindingsOfVersions(t *testing.T) {
	t.Parallel()
	account := rbac.Account(objects.Account{Namespace: "shop", Name: "till"}).Identity()
	bundles := rbac.Request{Verb: "list", Group: "certificates.k8s.io", Resource: "clustertrustbundles"}
	for version, want := range map[kubeversion.Version]bool{36: false, 37: true} {
		u := &objects.Unit{Kubernetes: func() kubeversion.Range { return kubeversion.Exactly(version) }}
		if answer := rbac.AskDefaults(u, account, bundles); answer.Allowed != want || len(answer.Newer) > 0 {
			t.Errorf("%s: %+v", version, answer)
		}
	}
	answer := rbac.AskDefaults(&objects.Unit{}, account, bundles)
	if answer.Allowed || len(answer.Newer) != 1 || answer.Newer[0].Since != 37 {
		t.Errorf("unknown version: %+v", answer)
	}
}

func TestNewerRoles(t *testing.T) {
	t.Parallel()
	ada := rbac.Identity{User: "ada"}
	for name, test := range map[string]struct {
		versions kubeversion.Range
		want     []rbac.RoleRef
	}{
		"unknown": {kubeversion.Range{}, []rbac.RoleRef{{Kind: "ClusterRole", Name: "system:monitoring"}, {Kind: "ClusterRole", Name: "view"}}},
		"later":   {kubeversion.AtLeast(35), []rbac.RoleRef{{Kind: "ClusterRole", Name: "system:monitoring"}}},
		"known":   {kubeversion.Exactly(31), nil},
	} {
		u := objectstest.Plain(t, tree{"a.yaml": viewers})
		u.Kubernetes = func() kubeversion.Range { return test.versions }
		if diff := cmp.Diff(test.want, rbac.NewerRoles(u, nil, ada)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// TestNewerRulesAreNotDangerous checks what makes it right that rules about dangerous permissions count only what all versions
// grant: no version added a permission to the roles for users with which other permissions can be gained.
func TestNewerRulesAreNotDangerous(t *testing.T) {
	t.Parallel()
	harmless := []string{"events.k8s.io", "resource.k8s.io"}
	at := func(v kubeversion.Range) *objects.Unit {
		return &objects.Unit{Kubernetes: func() kubeversion.Range { return v }}
	}
	for _, role := range []string{"view", "edit", "admin", "cluster-admin"} {
		oldest := rulesOf(t, at(kubeversion.Range{}), role)
		added := policyrules.Missing(oldest, rulesOf(t, at(kubeversion.Exactly(kubeversion.Newest)), role))
		if slices.ContainsFunc(added, func(r rbacv1.PolicyRule) bool { return !slices.Contains(harmless, r.APIGroups[0]) }) {
			t.Errorf("%s: %v", role, added)
		}
	}
}

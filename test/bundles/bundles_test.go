package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

func TestFind(t *testing.T) {
	t.Parallel()
	all, err := find(filepath.Join("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	ranks := map[string]int{}
	for _, b := range all {
		if name, found := strings.CutPrefix(b.name, "lantern/"); found {
			ranks[name] = b.rank
		}
	}
	if diff := cmp.Diff(map[string]int{"1.3.0": 0, "1.2.0": 1, "1.1.0": 2, "1.0.0": 3}, ranks); diff != "" {
		t.Errorf("ranks, -want +got:\n%s", diff)
	}
}

func TestByVersion(t *testing.T) {
	t.Parallel()
	want := []string{"a/candidate", "a/0.9.0", "a/v1.2.0-rc1", "a/1.2.0", "a/1.10.0"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byVersion)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCauses(t *testing.T) {
	t.Parallel()
	rule := func(group, resource, name string) []Scoped {
		r := rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{"get"}}
		if name != "" {
			r.ResourceNames = []string{name}
		}
		return []Scoped{{"", []rbacv1.PolicyRule{r}}}
	}
	grown := verdict{Notes: []string{"the bundle binds ClusterRole system:node, " + grows + " 1.36 on"}}
	for name, test := range map[string]struct {
		got  outcome
		want string
	}{
		"installed":                    {installed(Answer{}, verdict{}, ""), "both install it"},
		"refused":                      {installed(Answer{Refused: "unsupported bundle: webhookDefinitions are not supported"}, verdict{}, "x"), "both refuse it: webhooks"},
		"only upstream refuses":        {installed(Answer{Dependency: "x"}, verdict{}, ""), unexplained + "only operator-controller refuses it"},
		"only salint refuses":          {installed(Answer{}, verdict{}, "x"), unexplained + "only salint refuses it"},
		"sufficient":                   {sufficient(Answer{}, verdict{}), "sufficient"},
		"not sufficient":               {sufficient(Answer{Missing: rule("", "pods", "")}, verdict{}), unexplained + "not sufficient"},
		"a role that grows":            {sufficient(Answer{Missing: rule("", "pods", "")}, grown), "a default role that grows with Kubernetes, as a note says"},
		"not necessary":                {necessary(Answer{Unneeded: rule("", "pods", "")}), unexplained + "not all permissions are necessary"},
		"the same definitions":         {blocked(Answer{Blocked: `validating upgrade for CRD "a": x`}, growth{Blocked: []string{"a"}}), "both block it"},
		"other definitions":            {blocked(Answer{Blocked: `validating upgrade for CRD "a": x`}, growth{Blocked: []string{"b"}}), unexplained + "other definitions"},
		"generated names are left out": {named(Answer{}, Answer{Missing: rule(rbacv1.GroupName, "clusterroles", "a-1x")}, growth{}), "nothing is new"},
		"something new is left out":    {named(Answer{}, Answer{Missing: rule("", "configmaps", "a")}, growth{}), unexplained + "bundle-diff leaves out what is new"},
		"what the account has":         {named(Answer{}, Answer{}, growth{More: rule("", "pods", ""), Installer: true}), unexplained + "bundle-diff calls new what the account has"},
	} {
		if test.got.Cause != test.want {
			t.Errorf("%s: got %q, want %q", name, test.got.Cause, test.want)
		}
	}
}

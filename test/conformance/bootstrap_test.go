package conformance_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/kube"
)

// TestBuiltinRoles compares the roles that salint embeds with the bootstrap policy.
func TestBuiltinRoles(t *testing.T) {
	t.Parallel()
	want, err := kube.BuiltinJSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../internal/kube/rbac/builtin_roles.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go run ./builtin writes it again (- Kubernetes, + salint)\n%s", diff)
	}
}

// TestBuiltinBindings does the same for the bindings.
func TestBuiltinBindings(t *testing.T) {
	t.Parallel()
	want, err := kube.BuiltinBindingsJSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../internal/kube/rbac/builtin_bindings.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go run ./builtin bindings writes it again (- Kubernetes, + salint)\n%s", diff)
	}
}

// TestBootstrap compares the effective rules of these roles, whether they are aggregated or not.
func TestBootstrap(t *testing.T) {
	t.Parallel()
	c, err := kube.Bootstrap()
	if err != nil {
		t.Fatal(err)
	}
	nothing := &objects.Unit{Name: "k", Kind: objects.KustomizationUnit}
	for _, role := range c.ClusterRoles {
		rules, known, partial := rbac.RoleRulesOf(nothing, rbac.RoleRef{Kind: "ClusterRole", Name: role.Name}, nil)
		if !known && strings.HasPrefix(role.Name, "system:controller:") {
			continue // salint does not embed these, and reports them as unknown
		}
		if aggregated := role.AggregationRule != nil; !known || partial != aggregated {
			t.Errorf("%s: known %t, others can add to it %t, want %t", role.Name, known, partial, aggregated)
		}
		if diff := kube.Diff(role.Rules, rules); diff != "" {
			t.Errorf("%s %s", role.Name, diff)
		}
	}
	for _, name := range kube.Facing() {
		if role := c.ClusterRole(name); role == nil || len(role.Rules) == 0 {
			t.Errorf("Kubernetes has no rules for %s: the comparison is worth nothing", name)
		}
	}
}

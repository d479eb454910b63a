package conformance_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"

	"github.com/salint/salint/internal/kube/kubeversion"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/salint"
)

// TestBuiltinBindings compares the bindings that salint embeds with the bootstrap policy.
func TestBuiltinBindings(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	for _, b := range bootstrappolicy.ClusterRoleBindings() {
		for _, s := range b.Subjects {
			want[b.Name+" "+b.RoleRef.Name] = append(want[b.Name+" "+b.RoleRef.Name], s.Kind+" "+s.Namespace+" "+s.Name)
		}
	}
	got := map[string][]string{}
	for _, b := range rbac.DefaultBindings(salint.Empty()) {
		key := b.Object.Name + " " + b.Role.Name
		got[key] = append(got[key], b.Subject.Kind+" "+b.Subject.Namespace+" "+b.Subject.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("go run ./builtin bindings writes them again (- Kubernetes, + salint)\n%s", diff)
	}
}

// TestBuiltinNames checks that salint embeds no role that the bootstrap policy does not have.
func TestBuiltinNames(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../internal/kube/rbac/builtin_roles.json")
	if err != nil {
		t.Fatal(err)
	}
	var embedded []struct {
		Since    string                           `json:"since"`
		Metadata struct{ Name, Namespace string } `json:"metadata"`
	}
	if err := json.Unmarshal(text, &embedded); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, role := range slices.Concat(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()) {
		known["/"+role.Name] = true
	}
	for namespace, roles := range bootstrappolicy.NamespaceRoles() {
		for _, role := range roles {
			known[namespace+"/"+role.Name] = true
		}
	}
	for _, role := range embedded {
		since := kubeversion.Oldest
		if role.Since != "" {
			if since, err = kubeversion.Parse(role.Since); err != nil {
				t.Fatal(err)
			}
		}
		name := role.Metadata.Namespace + "/" + role.Metadata.Name
		if known[name] != (since <= salint.Version) {
			t.Errorf("%s: since %s, but Kubernetes %s has it: %t", name, since, salint.Version, known[name])
		}
	}
}

// TestBootstrap compares the effective rules of these roles, whether they are aggregated or not.
func TestBootstrap(t *testing.T) {
	t.Parallel()
	c, err := kube.Bootstrap()
	if err != nil {
		t.Fatal(err)
	}
	nothing := salint.Empty()
	for _, role := range c.ClusterRoles {
		rules, known, partial := rbac.RoleRulesOf(nothing, rbac.RoleRef{Kind: "ClusterRole", Name: role.Name}, nil)
		if aggregated := role.AggregationRule != nil; !known || partial != aggregated {
			t.Errorf("%s: known %t, others can add to it %t, want %t", role.Name, known, partial, aggregated)
		}
		if diff := kube.DiffOfPermissions(role.Rules, rules); diff != "" {
			t.Errorf("%s %s", role.Name, diff)
		}
	}
	for namespace, roles := range bootstrappolicy.NamespaceRoles() {
		for _, role := range roles {
			rules, known, partial := rbac.RoleRulesOf(nothing, rbac.RoleRef{Kind: "Role", Name: role.Name, Namespace: namespace}, nil)
			if diff := kube.DiffOfPermissions(role.Rules, rules); !known || partial || diff != "" {
				t.Errorf("%s/%s: known %t, partial %t %s", namespace, role.Name, known, partial, diff)
			}
		}
	}
	for _, name := range kube.Facing() {
		if role := c.ClusterRole(name); role == nil || len(role.Rules) == 0 {
			t.Errorf("Kubernetes has no rules for %s: the comparison is worth nothing", name)
		}
	}
}

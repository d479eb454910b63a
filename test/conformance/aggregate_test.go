package conformance_test

import (
	"context"
	"fmt"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/world"
)

// TestAggregate compares the rules of aggregated ClusterRoles.
func TestAggregate(t *testing.T) {
	t.Parallel()
	forWorlds(t, everything, func(docs []string, w *world.World) (string, error) {
		u, c, err := sides(docs, w)
		if err != nil {
			return "", err
		}
		for _, role := range c.ClusterRoles {
			rules, known, _ := rbac.RoleRulesOf(u, rbac.RoleRef{Kind: "ClusterRole", Name: role.Name}, nil)
			if diff := kube.DiffOfPermissions(role.Rules, rules); diff != "" || !known {
				return fmt.Sprintf("%s, known %t %s", role.Name, known, diff), nil
			}
		}
		return "", nil
	})
}

// TestController compares the aggregated rules that the other tests use with those of Kubernetes' own controller. It is
// slow, so it checks fewer worlds.
func TestController(t *testing.T) {
	t.Parallel()
	for i := range uint64(max(1, *runs/100)) {
		w := world.New(*seed+i, world.Options{Aggregated: true, Builtin: true})
		before, err := kube.Read(world.Join(w.Docs()))
		if err != nil {
			t.Fatal(err)
		}
		after, err := cluster(w.Docs(), w)
		if err != nil {
			t.Fatal(err)
		}
		if diff := controllerDiff(t, before, after); diff != "" {
			t.Fatalf("seed %d, the controller and what is expected of it: %s\n%s", *seed+i, diff, world.Join(w.Docs()))
		}
	}
}

// controllerDiff runs the controller on the roles of one cluster until they equal those of the other.
func controllerDiff(t *testing.T, before, after *kube.Cluster) string {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var objects []runtime.Object
	for _, role := range before.ClusterRoles {
		objects = append(objects, role)
	}
	client := fake.NewClientset(objects...)
	if err := kube.RunAggregation(ctx, client); err != nil {
		t.Fatal(err)
	}
	var diff string
	_, err := kube.WaitForRoles(ctx, client, func(roles []rbacv1.ClusterRole) bool {
		diff = ""
		for _, role := range roles {
			diff += kube.Diff(role.Rules, after.ClusterRole(role.Name).Rules)
		}
		return diff == ""
	})
	if err != nil && diff == "" {
		t.Fatal(err)
	}
	return diff
}

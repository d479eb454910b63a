package server_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/salint/salint/test/conformance/kube"
	"github.com/salint/salint/test/conformance/salint"
	"github.com/salint/salint/test/conformance/server"
	"github.com/salint/salint/test/conformance/world"
)

// TestWorlds applies generated manifests with kubectl, half of them including refused ones, and asks the server and salint
// the same questions.
func TestWorlds(t *testing.T) {
	s := start(t)
	if err := s.Apply(t.Context(), server.Admin, namespaces("ns-a", "ns-b", "ns-c", "ns-empty")); err != nil {
		t.Fatal(err)
	}
	for i := range *runs {
		seed := *seed + uint64(i)
		w := world.New(seed, world.Options{Builtin: true, Aggregated: true, Refused: i%2 == 1})
		if difference, err := oneWorld(t.Context(), s, w); err != nil || difference != "" {
			t.Fatalf("-run '^%s$' -runs %d -seed %d\n%s%v\n%s", t.Name(), i%2+1, seed-uint64(i%2), difference, err, world.Join(w.Docs()))
		}
	}
}

func namespaces(names ...string) string {
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", name)
	}
	return text.String()
}

func oneWorld(ctx context.Context, s *server.Server, w *world.World) (difference string, err error) {
	text := world.Join(w.Docs())
	expected, err := kube.Read(text)
	if err != nil {
		return "", err
	}
	// Validation by kubectl itself would stop at an object that is to be refused, and not apply the rest.
	_, refused := s.Kubectl(ctx, server.Admin, text, "apply", "--server-side", "--validate=false", "--filename=-")
	if (refused != nil) != (len(expected.Refused) > 0) {
		return fmt.Sprintf("applied with %v, expected %v", refused, expected.Refused), nil
	}
	if err := expected.AddBuiltin(); err != nil {
		return "", err
	}
	if difference, err = waitForRoles(ctx, s, expected); difference != "" || err != nil {
		return fmt.Sprintf("%s\napplied with %v", difference, refused), err
	}
	if err := s.Settle(ctx); err != nil {
		return "", err
	}
	if difference, err = compareAnswers(ctx, s, w, text); difference != "" || err != nil {
		return difference, err
	}
	return "", clean(ctx, s, text)
}

// clean deletes what was applied. The controller of aggregated roles can create a role again that is deleted while the
// controller is about to fill it (its apply creates missing roles), so this repeats until none comes back.
func clean(ctx context.Context, s *server.Server, text string) error {
	if err := s.Delete(ctx, text); err != nil {
		return err
	}
	builtin, err := kube.Bootstrap()
	if err != nil {
		return err
	}
	const enough = 5
	quiet := 0
	_, err = kube.WaitForRoles(ctx, s.Client, func(roles []rbacv1.ClusterRole) bool {
		quiet++
		for _, role := range roles {
			if builtin.ClusterRole(role.Name) == nil {
				quiet = 0
				// A role that is already deleted is no problem; any other error shows because the role stays.
				_ = s.Client.RbacV1().ClusterRoles().Delete(ctx, role.Name, metav1.DeleteOptions{})
			}
		}
		return quiet >= enough
	})
	return err
}

// waitForRoles waits until the roles on the server have the expected rules, including aggregated ones.
func waitForRoles(ctx context.Context, s *server.Server, expected *kube.Cluster) (string, error) {
	want := map[string][]string{}
	for _, role := range expected.ClusterRoles {
		want[role.Name] = kube.Texts(role.Rules)
	}
	var difference string
	_, err := kube.WaitForRoles(ctx, s.Client, func(roles []rbacv1.ClusterRole) bool {
		got := map[string][]string{}
		for _, role := range roles {
			got[role.Name] = kube.Texts(role.Rules)
		}
		difference = cmp.Diff(want, got)
		return difference == ""
	})
	if difference != "" {
		return "ClusterRoles (- expected, + server)\n" + difference, nil
	}
	return "", err
}

func compareAnswers(ctx context.Context, s *server.Server, w *world.World, text string) (string, error) {
	u, err := salint.Read(text)
	if err != nil {
		return "", err
	}
	for _, who := range w.Identities() {
		for _, r := range w.Requests(12) {
			allowed, reason, err := s.Allowed(ctx, who, r)
			if err != nil {
				return "", err
			}
			if answer := salint.Ask(u, who, r); salint.Contradicts(answer, allowed, w) {
				return fmt.Sprintf("%+v asks for %+v\nserver: allowed %t, %s\nsalint: allowed %t by %v, unknown %v",
					who, r, allowed, reason, answer.Allowed, answer.Rule, answer.Unknown), nil
			}
		}
	}
	return "", nil
}

// TestDefaultRoles compares the roles that the server created for itself with those embedded in salint.
func TestDefaultRoles(t *testing.T) {
	s := start(t)
	expected, err := kube.Bootstrap()
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Client.RbacV1().ClusterRoles().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := func(role rbacv1.ClusterRole) string { return role.Name }
	var got, want []string
	for _, role := range list.Items {
		got = append(got, names(role))
	}
	for _, role := range expected.ClusterRoles {
		want = append(want, role.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles of a new cluster (- expected, + server)\n%s", diff)
	}
	if difference, err := waitForRoles(t.Context(), s, expected); difference != "" || err != nil {
		t.Error(difference, err)
	}
}

package session

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/fixing"
)

const extensionWithAccount = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: harbor}
spec:
  namespace: harbor
  serviceAccount:
    name: harbor-installer
`

// TestFindingsThatAnotherFixResolves checks that a finding about a removed field is not reported: a missing account does not matter
// after its reference is removed.
func TestFindingsThatAnotherFixResolves(t *testing.T) {
	t.Parallel()
	for apply, want := range map[bool][]string{
		false: {"olm/service-account-deprecated", "olm/service-account-not-found"},
		true:  {"olm/service-account-deprecated"},
	} {
		out, err := Run(context.Background(), Options{
			PolicyCache: policies, Tree: loadertest.Repository{Tree: tree{"harbor.yaml": extensionWithAccount}}, Config: settings.Default(), Target: "synthetic", Disable: []string{"rbac/*"},
			Now:   time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
			Fixes: fixing.Fixes{Apply: apply, Prove: apply, Grant: engine.Grant{Mode: engine.RoleGrant, Role: "installer"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range out.Findings {
			got = append(got, f.Rule)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("apply %v: %s", apply, diff)
		}
	}
}

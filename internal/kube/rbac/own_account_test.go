package rbac_test

import (
	"testing"

	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

func TestControllerAccounts(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"olm-1.11": {"olmv1-system"}, "ocp-5.0": {"openshift-operator-controller"},
		"ignored": {"olmv1-system", "openshift-operator-controller"},
	} {
		target, err := olm.ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		accounts := rbac.ControllerAccounts(target)
		if len(accounts) != len(want) {
			t.Fatalf("%s: %v, want %v", name, accounts, want)
		}
		for i, account := range accounts {
			if account.Namespace != want[i] {
				t.Errorf("%s: %v, want %v", name, accounts, want)
			}
		}
	}
}

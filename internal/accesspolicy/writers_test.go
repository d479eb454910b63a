package accesspolicy_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/accesspolicy"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/rbac"
)

// Of a repository of which the policy covers a part, those are named whom the rest lets write and nobody limits.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	const testers, deployer = "{kind: Group, name: testers}", "{kind: ServiceAccount, name: deployer, namespace: ci}"
	here := units(t, role("r", writes)+bound("a", "r", developers))
	rest := units(t, role("r", writes)+bound("b", "r", developers+", "+testers)+bound("c", "r", testers+", "+deployer+", {kind: Group, name: '${TEAM}'}")+
		bound("d", "cluster-admin", "{kind: Group, name: admins}"))
	scope := accesspolicy.Gather(here, accesspolicy.Options{Subjects: []rbac.Subject{{Kind: rbac.KindServiceAccount, Namespace: "ci", Name: "other"}}})
	notes := len(scope.Notes)
	var got []string
	for _, w := range scope.LeftOut(append(append([]*inventory.Unit{}, here...), rest...)) {
		got = append(got, fmt.Sprintf("%s %s:%d", w.Name, w.Position.File, w.Position.Line))
	}
	want := []string{"testers a.yaml:11", "deployer a.yaml:17"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(scope.Notes) != notes {
		t.Errorf("notes of what is left out: %v", scope.Notes)
	}
}

package accesspolicy_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// If the policy covers part of a repository, the subjects that the rest allows to write are reported.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	const testers, deployer = "{kind: Group, name: testers}", "{kind: ServiceAccount, name: deployer, namespace: ci}"
	here := units(t, role("r", writes)+bound("a", "r", developers))
	rest := units(t, role("r", writes)+bound("b", "r", developers+", "+testers)+bound("c", "r", testers+", "+deployer+", {kind: Group, name: '${TEAM}'}")+
		bound("d", "cluster-admin", "{kind: Group, name: admins}"))
	scope := accesspolicy.Gather(here, accesspolicy.Options{Subjects: []rbac.Subject{{Kind: rbac.KindServiceAccount, Namespace: "ci", Name: "other"}}})
	notes := len(scope.Notes)
	var got []string
	for _, w := range scope.LeftOut(append(append([]*objects.Unit{}, here...), rest...)) {
		got = append(got, fmt.Sprintf("%s %s:%d", w.Name, w.Position.File, w.Position.Line))
	}
	want := []string{"testers a.yaml:11", "deployer a.yaml:17"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(scope.Notes) != notes {
		t.Errorf("notes about the rest: %v", scope.Notes)
	}
}

// An account is one subject, whichever of its two names a binding or an option uses.
func TestAccountsByTheirUserNames(t *testing.T) {
	t.Parallel()
	const account, user = "{kind: ServiceAccount, name: deployer, namespace: ci}", "{kind: User, name: 'system:serviceaccount:ci:deployer'}"
	all := units(t, role("r", writes)+bound("a", "r", account+", "+user))
	asked := rbac.Subject{Kind: rbac.KindUser, Name: "system:serviceaccount:ci:deployer"}
	scope := accesspolicy.Gather(all, accesspolicy.Options{Subjects: []rbac.Subject{asked}})
	want := []rbac.Subject{{Kind: rbac.KindServiceAccount, Namespace: "ci", Name: "deployer"}}
	if diff := cmp.Diff(want, scope.Subjects); diff != "" {
		t.Error(diff)
	}
	if left := scope.LeftOut(all); len(left) > 0 {
		t.Errorf("left out: %v", left)
	}
}

// Limited subjects that can change the policy are reported, with the place of the grant.
func TestSubjectsThatCanChangeThePolicy(t *testing.T) {
	t.Parallel()
	const group = "{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicies], "
	const members = "{kind: Group, name: 'system:authenticated'}"
	const expected = "a.yaml:22: Group developers can change or delete ValidatingAdmissionPolicies or their bindings, " +
		"including these, through ClusterRoleBinding b. Remove that permission, or the subject can bypass the policy"
	tests := []struct {
		name, rule, subject string
		want                []string
	}{
		{"delete", group + "verbs: [delete]}", developers, []string{expected}},
		{"by a group that everybody is in", group + "verbs: ['*']}", members, []string{expected}},
		{"somebody else", group + "verbs: [delete]}", "{kind: Group, name: others}", nil},
		{"create", group + "verbs: [create]}", developers, nil},
		{"another name", group + "resourceNames: [images], verbs: ['*']}", developers, nil},
		{"all of a name", group + "resourceNames: [olm-extension-access], verbs: [deletecollection]}", developers, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			scope := accesspolicy.Gather(units(t, role("r", writes)+bound("a", "r", developers)+role("p", test.rule)+bound("b", "p", test.subject)), accesspolicy.Options{})
			var got []string
			for _, n := range scope.Notes {
				got = append(got, fmt.Sprintf("%s:%d: %s", n.Position.File, n.Position.Line, n.Message))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

package accesspolicy_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/ask/accesspolicy"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
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
	for _, w := range scope.LeftOut(append(append([]*objects.Unit{}, here...), rest...)) {
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

// An account is one subject, by whichever of its two names it is bound or asked for.
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

// Those who are limited and may take the limit away are named, with the place that lets them.
func TestSubjectsThatMayChangeThePolicy(t *testing.T) {
	t.Parallel()
	const group = "{apiGroups: [admissionregistration.k8s.io], resources: [validatingadmissionpolicies], "
	const members = "{kind: Group, name: 'system:authenticated'}"
	const said = "a.yaml:22: Group developers may change or delete ValidatingAdmissionPolicies or their bindings, " +
		"and these too, by ClusterRoleBinding b: take that right away, Remove that permission, or the subject can bypass the policy"
	tests := []struct {
		name, rule, subject string
		want                []string
	}{
		{"delete", group + "verbs: [delete]}", developers, []string{said}},
		{"by a group that everybody is in", group + "verbs: ['*']}", members, []string{said}},
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

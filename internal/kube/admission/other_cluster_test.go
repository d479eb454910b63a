package admission_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

// TestOtherCluster checks that a policy that can be on another cluster makes the result unknown, unless another policy
// limits for certain.
func TestOtherCluster(t *testing.T) {
	t.Parallel()
	named := func(text, name string) string { return strings.ReplaceAll(text, "limits", name) }
	tests := []struct {
		name, text, far string
		want            string
	}{
		{"both on this cluster", policy(packages) + bound(deny), "", "limited"},
		{"both on another cluster", policy(packages) + bound(deny), "limits/limits", "unknown: Policy is far"},
		{"the policy on another cluster", policy(packages) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "limits", "unknown: Policy is far"},
		{"the binding on another cluster", policy(packages) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b", "unknown: PolicyBinding is far"},
		{"another binding on this cluster", policy(packages) + bound(deny) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b", "limited"},
		{"another binding on this cluster that warns", policy(packages) + bound("validationActions: [Warn]") + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b",
			"unknown: PolicyBinding is far: PolicyBinding does not deny: its validationActions are Warn"},
		{"another policy on this cluster", named(policy(packages)+bound(deny), "there") + policy(packages) + bound(deny), "there", "limited"},
		{"no limit on the other cluster", policy(packages) + bound("validationActions: [Warn]"), "limits", "open: PolicyBinding does not deny: its validationActions are Warn"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set := admission.New(objectstest.In(t, "a.yaml", test.text)).ForCluster(func(o *objects.Object) string {
				if test.far != "" && strings.Contains(test.far, o.Name) {
					return "is far"
				}
				return ""
			})
			who := admission.RequesterOf(developers, func(rbac.Request) (allowed, known bool) { return false, true })
			if diff := cmp.Diff(test.want, written(set.Judge(who, create))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestChanges checks that a subject that is allowed to change or delete one half of a limit is not limited by it; creating
// others, and changing halves of other limits, does not help.
func TestChanges(t *testing.T) {
	t.Parallel()
	const policies, bindings = "validatingadmissionpolicies", "validatingadmissionpolicybindings"
	other := strings.ReplaceAll(policy(packages)+bound(deny), "limits", "other")
	rule := func(verb, resource string, names ...string) rbac.Request {
		return rbac.Request{Verb: verb, Group: admission.Group, Resource: resource, Name: strings.Join(names, "")}
	}
	tests := []struct {
		name string
		more string
		may  rbac.Request // with a name: by a role that is restricted to it
		want string
	}{
		{"nothing", "", rbac.Request{}, "limited"},
		{"delete the policy", "", rule("delete", policies), "open: Policy can be deleted by Group developers, which it limits: revoke that permission"},
		{"delete this policy", "", rule("delete", policies, "limits"), "open: Policy can be deleted by Group developers, which it limits: revoke that permission"},
		{"update the binding", "", rule("update", bindings), "open: PolicyBinding can be changed by Group developers, which it limits: revoke that permission"},
		{"patch this binding", "", rule("patch", bindings, "limits"), "open: PolicyBinding can be changed by Group developers, which it limits: revoke that permission"},
		{"delete all bindings", "", rule("deletecollection", bindings), "open: PolicyBinding can be deleted by Group developers, which it limits: revoke that permission"},
		{"delete all of a name", "", rule("deletecollection", bindings, "limits"), "limited"},
		{"delete another policy", "", rule("delete", policies, "other"), "limited"},
		{"create policies", "", rule("create", policies), "limited"},
		{"read policies", "", rule("get", policies), "limited"},
		{"delete one of two policies", other, rule("delete", policies, "limits"), "limited"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			who := admission.RequesterOf(developers, func(r rbac.Request) (allowed, known bool) {
				return r.Verb == test.may.Verb && r.Group == test.may.Group && r.Resource == test.may.Resource && (test.may.Name == "" || r.Name == test.may.Name), true
			})
			got := written(admission.New(objectstest.In(t, "a.yaml", policy(packages)+bound(deny)+test.more)).Judge(who, create))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUnknownChanges checks that a role that is not in the repository removes no limit.
func TestUnknownChanges(t *testing.T) {
	t.Parallel()
	who := admission.RequesterOf(developers, func(rbac.Request) (allowed, known bool) { return false, false })
	if got := written(admission.New(objectstest.In(t, "a.yaml", policy(packages)+bound(deny))).Judge(who, create)); got != "limited" {
		t.Error(got)
	}
}

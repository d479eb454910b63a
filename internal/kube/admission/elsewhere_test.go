package admission_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// What may not go to the same cluster limits perhaps, unless something else limits for certain.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	named := func(text, name string) string { return strings.ReplaceAll(text, "limits", name) }
	tests := []struct {
		name, text, far string
		want            string
	}{
		{"both here", policy(packages) + bound(deny), "", "limited"},
		{"both there", policy(packages) + bound(deny), "limits/limits", "unknown: Policy is far"},
		{"the policy there", policy(packages) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "limits", "unknown: Policy is far"},
		{"the binding there", policy(packages) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b", "unknown: PolicyBinding is far"},
		{"another binding here", policy(packages) + bound(deny) + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b", "limited"},
		{"another binding here that warns", policy(packages) + bound("validationActions: [Warn]") + strings.Replace(bound(deny), "name: limits", "name: b", 1), "b",
			"unknown: PolicyBinding is far: PolicyBinding does not deny: its validationActions are Warn"},
		{"another policy here", named(policy(packages)+bound(deny), "there") + policy(packages) + bound(deny), "there", "limited"},
		{"nothing there that limits", policy(packages) + bound("validationActions: [Warn]"), "limits", "open: PolicyBinding does not deny: its validationActions are Warn"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set := admission.New(objectsIn(t, test.text)).Seen(func(o *objects.Object) string {
				if test.far != "" && strings.Contains(test.far, o.Name) {
					return "is far"
				}
				return ""
			})
			who := admission.Subject(developers, func(rbac.Request) (allowed, known bool) { return false, true })
			if diff := cmp.Diff(test.want, written(set.Judge(who, create))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whoever may change or delete one half of a limit is not limited by it; creating others, and halves of other limits, is no way out.
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
		may  rbac.Request // with a name: by a role that is limited to it
		want string
	}{
		{"nothing", "", rbac.Request{}, "limited"},
		{"delete the policy", "", rule("delete", policies), "open: Policy may be deleted by Group developers, whom it limits: take that right away"},
		{"delete this policy", "", rule("delete", policies, "limits"), "open: Policy may be deleted by Group developers, whom it limits: take that right away"},
		{"update the binding", "", rule("update", bindings), "open: PolicyBinding may be changed by Group developers, whom it limits: take that right away"},
		{"patch this binding", "", rule("patch", bindings, "limits"), "open: PolicyBinding may be changed by Group developers, whom it limits: take that right away"},
		{"delete all bindings", "", rule("deletecollection", bindings), "open: PolicyBinding may be deleted by Group developers, whom it limits: take that right away"},
		{"delete all of a name", "", rule("deletecollection", bindings, "limits"), "limited"},
		{"delete another policy", "", rule("delete", policies, "other"), "limited"},
		{"create policies", "", rule("create", policies), "limited"},
		{"read policies", "", rule("get", policies), "limited"},
		{"delete one of two policies", other, rule("delete", policies, "limits"), "limited"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			who := admission.Subject(developers, func(r rbac.Request) (allowed, known bool) {
				return r.Verb == test.may.Verb && r.Group == test.may.Group && r.Resource == test.may.Resource && (test.may.Name == "" || r.Name == test.may.Name), true
			})
			got := written(admission.New(objectsIn(t, policy(packages)+bound(deny)+test.more)).Judge(who, create))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A role that the repository does not hold takes no limit away.
func TestChangesThatAreNotKnown(t *testing.T) {
	t.Parallel()
	who := admission.Subject(developers, func(rbac.Request) (allowed, known bool) { return false, false })
	if got := written(admission.New(objectsIn(t, policy(packages)+bound(deny))).Judge(who, create)); got != "limited" {
		t.Error(got)
	}
}

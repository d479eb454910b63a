package policyrules

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// TestTextsOfRules compares the texts of rules with those of package fmt, after which rules are ordered.
func TestTextsOfRules(t *testing.T) {
	t.Parallel()
	for _, r := range []rbacv1.PolicyRule{
		{},
		{Verbs: []string{"get", "list"}, APIGroups: []string{"", "apps"}, Resources: []string{"a/b"}, ResourceNames: []string{"with \"quotes\"", "ü\x00\u2028"}},
		{Verbs: []string{"*"}, NonResourceURLs: []string{"/healthz", "/*"}, Resources: []string{}},
	} {
		if got, want := Key(r), fmt.Sprintf("%q%q%q%q%q", r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs); got != want {
			t.Errorf("key is %s, want %s", got, want)
		}
		want := fmt.Sprintf("&PolicyRule{Verbs:%v,APIGroups:%v,Resources:%v,ResourceNames:%v,NonResourceURLs:%v,}",
			r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs)
		if got := string(appendPrinted(nil, r)); got != want {
			t.Errorf("text is %s, want %s", got, want)
		}
	}
}

// TestBreakdown compares single permissions, with missing and empty lists, with those of the library.
func TestBreakdown(t *testing.T) {
	t.Parallel()
	for _, r := range []rbacv1.PolicyRule{
		{},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{"a"}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{"a", "b"}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, ResourceNames: []string{}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, NonResourceURLs: []string{}},
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}, NonResourceURLs: []string{"/a"}},
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/a"}},
		{Verbs: []string{"get"}, NonResourceURLs: []string{"/a", "/b"}},
		{Verbs: []string{"get", "list"}, NonResourceURLs: []string{"/a"}},
		{Verbs: []string{"get", "list"}, APIGroups: []string{"", "apps"}, Resources: []string{"a", "b/c"}, ResourceNames: []string{"x", "y"}, NonResourceURLs: []string{"/a", "/b"}},
		{Verbs: []string{"get"}, APIGroups: []string{}, NonResourceURLs: []string{"/a"}},
	} {
		got, want := appendBreakdown([]rbacv1.PolicyRule{}, r), validation.BreakdownRule(r)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-library +salint):\n%s", r, diff)
		}
		for i := range got {
			got[i].Verbs = append(got[i].Verbs, "changed")
		}
		if diff := cmp.Diff(want, appendBreakdown([]rbacv1.PolicyRule{}, r)); diff != "" {
			t.Errorf("%v is changed by appending to its permissions (-library +salint):\n%s", r, diff)
		}
	}
}

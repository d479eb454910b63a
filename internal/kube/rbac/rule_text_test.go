package rbac

import (
	"fmt"
	"reflect"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// TestTextsOfRules compares the texts of rules with those of package fmt, after which rules are ordered.
func TestTextsOfRules(t *testing.T) {
	t.Parallel()
	for _, r := range []rbacv1.PolicyRule{
		{},
		{Verbs: []string{"get", "list"}, APIGroups: []string{"", "apps"}, Resources: []string{"a/b"}, ResourceNames: []string{"with \"quotes\"", "ü\x00\u2028"}},
		{Verbs: []string{"*"}, NonResourceURLs: []string{"/healthz", "/*"}, Resources: []string{}},
	} {
		if got, want := ruleKey(r), fmt.Sprintf("%q%q%q%q%q", r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs); got != want {
			t.Errorf("key is %s, want %s", got, want)
		}
		want := fmt.Sprintf("&PolicyRule{Verbs:%v,APIGroups:%v,Resources:%v,ResourceNames:%v,NonResourceURLs:%v,}",
			r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs)
		if got := printed(r); got != want {
			t.Errorf("text is %s, want %s", got, want)
		}
	}
}

// TestSingleRules checks that single permissions are those that a breakdown does not change.
func TestSingleRules(t *testing.T) {
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
		{Verbs: []string{"get"}, APIGroups: []string{}, NonResourceURLs: []string{"/a"}},
	} {
		if got, want := !isNotSingle(r), reflect.DeepEqual(Breakdown([]rbacv1.PolicyRule{r}), []rbacv1.PolicyRule{r}); got != want {
			t.Errorf("%v: single is %t, want %t", r, got, want)
		}
	}
}

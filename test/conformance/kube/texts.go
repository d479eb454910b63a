package kube

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Texts formats rules as a set: one line for each, sorted, without duplicates.
func Texts(rules []rbacv1.PolicyRule) []string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = text(r)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func text(r rbacv1.PolicyRule) string {
	return fmt.Sprintf("verbs %q groups %q resources %q names %q URLs %q",
		r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs)
}

// Diff compares two sets of rules: those that only Kubernetes has, and those that only salint has. It is "" if they are the
// same.
func Diff(kubernetes, salint []rbacv1.PolicyRule) string {
	theirs, ours := Texts(kubernetes), Texts(salint)
	if slices.Equal(theirs, ours) {
		return "" // cmp is slow on long lists
	}
	return "(- Kubernetes, + salint)\n" + cmp.Diff(theirs, ours)
}

// DiffOfPermissions is Diff for rules that can be written in another way: a rule that changed between versions of Kubernetes is embedded in parts.
func DiffOfPermissions(kubernetes, salint []rbacv1.PolicyRule) string {
	diff := Diff(kubernetes, salint)
	if diff == "" {
		return ""
	}
	have, _ := validation.Covers(salint, kubernetes)
	only, _ := validation.Covers(kubernetes, salint)
	if have && only {
		return ""
	}
	return diff
}

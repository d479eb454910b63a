package rbac_test

import (
	"testing"

	"github.com/salint/salint/internal/kube/rbac"
)

func TestMistypedAccount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, name, want string }{
		{"Group", "system:serviceaccount:sea", "Group system:serviceaccounts:sea"},
		{"Group", "system:service-accounts:sea", "Group system:serviceaccounts:sea"},
		{"Group", "system:ServiceAccounts:sea", "Group system:serviceaccounts:sea"},
		{"Group", "system:serviceaccount", "Group system:serviceaccounts"},
		{"Group", "system:serviceaccounts:sea:crew", "User system:serviceaccount:sea:crew"},
		{"Group", "system:serviceaccount:sea:crew", "User system:serviceaccount:sea:crew"},
		{"User", "system:serviceaccounts:sea:crew", "User system:serviceaccount:sea:crew"},
		{"User", "system:serviceaccount:crew", " "},
		{"User", "system:serviceaccounts:sea", " "},
		{"Group", "system:serviceacounts:sea", "Group system:serviceaccounts:sea"},
		{"Group", "sytem:serviceaccounts:sea", "Group system:serviceaccounts:sea"},
		{"Group", "system.serviceaccounts:sea", "Group system:serviceaccounts:sea"},
		{"Group", "system:serviceaccounts/sea", "Group system:serviceaccounts:sea"},
		{"Group", "serviceaccounts:sea", "Group system:serviceaccounts:sea"},
		{"User", "system:serviceaccount:sea/crew", "User system:serviceaccount:sea:crew"},
		{"User", "system:servicacount:sea:crew", "User system:serviceaccount:sea:crew"},
		{"User", "serviceaccount:sea:crew", "User system:serviceaccount:sea:crew"},
		{"Group", "system:serviceaccounts:", " "},
		{"Group", "serviceaccounts", "-"},
		{"User", "system:serviceaccount:sea:crew:more", "-"},
		{"Group", "system:services:sea", "-"},
		{"User", "system:serviceaccount:sea:crew", "-"},
		{"Group", "system:serviceaccounts", "-"},
		{"Group", "system:serviceaccounts:sea", "-"},
		{"Group", "system:authenticated", "-"},
		{"Group", "team:serviceaccounts", "-"},
		{"User", "oidc:system:serviceaccount:sea:crew:x", "-"},
		{"Group", "system:serviceaccount:${NAMESPACE}", "-"},
		{"ServiceAccount", "system:serviceaccount:sea", "-"},
	} {
		kind, name, _, ok := rbac.MistypedAccount(c.kind, c.name)
		got := "-"
		if ok {
			got = kind + " " + name
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.name, got, c.want)
		}
	}
}

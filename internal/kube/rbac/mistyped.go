package rbac

import (
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// MistypedAccount reports whether a user or group was intended for an account, or for all accounts of a namespace, but matches none. It returns
// the intended subject, and why the written one matches nothing; kind and name are "" if the mistake is certain but the intention is not. ok
// is false for a subject that is correct or unrelated.
//
// Source: k8s.io/apiserver/pkg/authentication/serviceaccount (MakeUsername, MakeGroupNames).
func MistypedAccount(kind, name string) (correctKind, correctName, why string, ok bool) {
	if kind != KindUser && kind != KindGroup || Templated(name) {
		return "", "", "", false
	}
	parts := strings.Split(name, ":")
	if len(parts) < 2 || len(parts) > 4 || !strings.EqualFold(parts[0], "system") || !isAccountWord(parts[1]) {
		return "", "", "", false
	}
	switch rest := parts[2:]; {
	case len(rest) == 2 && rest[0] != "" && rest[1] != "":
		correctKind, correctName = KindUser, objects.Account{Namespace: rest[0], Name: rest[1]}.User()
	case len(rest) == 1 && rest[0] != "" && kind == KindGroup:
		correctKind, correctName = KindGroup, accountsGroupIn+rest[0]
	case len(rest) == 0 && kind == KindGroup:
		correctKind, correctName = KindGroup, accountsGroup
	}
	if kind == correctKind && name == correctName {
		return "", "", "", false
	}
	return correctKind, correctName, "an account is User system:serviceaccount:<namespace>:<name>, and all of a namespace are Group system:serviceaccounts:<namespace>", true
}

// isAccountWord reports whether a word is the singular or plural of serviceaccount, in any spelling.
func isAccountWord(word string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(word))
	return plain == "serviceaccount" || plain == "serviceaccounts"
}

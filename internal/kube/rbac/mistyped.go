package rbac

import (
	"strings"

	"github.com/agnivade/levenshtein"

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
	rest, about := afterAccountWord(name)
	if !about || len(rest) > 2 {
		return "", "", "", false
	}
	switch {
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

// afterAccountWord returns the parts of a name after those that say that it is about accounts, in any spelling; about is false for other names.
func afterAccountWord(name string) (rest []string, about bool) {
	parts := strings.Split(strings.NewReplacer("system.", "system:", "/", ":").Replace(name), ":")
	switch {
	case len(parts) > 1 && isNear(parts[0], "system", 1) && isAccountWord(parts[1]):
		return parts[2:], true
	case len(parts) > 1 && isAccountsWord(parts[0]): // without the prefix
		return parts[1:], true
	}
	return nil, false
}

// isAccountWord reports whether a word is the singular or plural of serviceaccount, with up to two wrong letters.
func isAccountWord(word string) bool {
	const wrong = 2
	return isNear(word, accountWord, wrong) || isNear(word, accountWord+"s", wrong)
}

// isAccountsWord reports whether a word is one of both, apart from case and hyphens.
func isAccountsWord(word string) bool {
	return isNear(word, accountWord, 0) || isNear(word, accountWord+"s", 0)
}

const accountWord = "serviceaccount"

func isNear(word, other string, wrong int) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(word))
	return levenshtein.ComputeDistance(plain, other) <= wrong
}

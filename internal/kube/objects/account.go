package objects

import "strings"

// Account names a service account. The namespace is "" if the manifest does not set it.
type Account struct{ Namespace, Name string }

const (
	accountUserPrefix = "system:serviceaccount:"
	accountKind       = "ServiceAccount"
)

// User is the user name of the account for the API server.
func (a Account) User() string { return accountUserPrefix + a.Namespace + ":" + a.Name }

// ParseUser returns the account of a user name such as system:serviceaccount:argocd:installer. ok is false for other names.
func ParseUser(user string) (Account, bool) {
	rest, ok := strings.CutPrefix(user, accountUserPrefix)
	if !ok {
		return Account{}, false
	}
	namespace, name, ok := strings.Cut(rest, ":")
	if !ok || namespace == "" || name == "" || strings.Contains(name, ":") {
		return Account{}, false
	}
	return Account{namespace, name}, true
}

// Matches reports whether two accounts can be the same: the names are equal, and so are the namespaces if both are known.
func (a Account) Matches(b Account) bool {
	return a.Name == b.Name && SameNamespace(a.Namespace, b.Namespace)
}

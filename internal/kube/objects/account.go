package objects

import "strings"

// Account names a service account. The namespace is "" when the manifest does not say it.
type Account struct{ Namespace, Name string }

const (
	accountUserPrefix = "system:serviceaccount:"
	accountKind       = "ServiceAccount"
)

// User is the name under which the API server knows the account.
func (a Account) User() string { return accountUserPrefix + a.Namespace + ":" + a.Name }

// ParseUser reads the account out of a user name such as system:serviceaccount:argocd:installer.
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

// Matches reports whether two accounts may be the same one: the names agree, and the namespaces as far as they are known.
func (a Account) Matches(b Account) bool {
	return a.Name == b.Name && SameNamespace(a.Namespace, b.Namespace)
}

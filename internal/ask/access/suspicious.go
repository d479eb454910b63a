package access

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Suspicious warns about a user name that is probably a mistake. The question is answered anyway, because Kubernetes
// accepts every name.
func Suspicious(user string) []string {
	const account, accounts, form = "system:serviceaccount:", "system:serviceaccounts", "system:serviceaccount:NAMESPACE:NAME"
	rest, isAccount := strings.CutPrefix(user, account)
	namespace, name, hasSlash := strings.Cut(user, "/")
	switch {
	case isAccount && !isPair(rest):
		return []string{fmt.Sprintf("--as %s is not an account: use %s", user, form)}
	case isAccount:
		return nil
	case user == authenticated, user == unauthenticated, user == "system:masters", user == olm.Group, user == accounts,
		strings.HasPrefix(user, accounts+":"):
		return []string{fmt.Sprintf("--as %s is treated as a user, but is the name of a group: use --as-group, or %s for an account", user, form)}
	case strings.HasPrefix(user, olm.Group+":"):
		return []string{fmt.Sprintf("--as %s does not exist: the user of an extension is %s", user, olm.User(strings.TrimPrefix(user, olm.Group+":")))}
	case strings.HasPrefix(user, "serviceaccount:"), strings.HasPrefix(user, "system:sa:"):
		return []string{fmt.Sprintf("--as %s is treated as a user: for an account, use %s", user, form)}
	case hasSlash && namespace != "" && name != "" && !strings.ContainsAny(user, ":@"):
		return []string{fmt.Sprintf("--as %s is treated as a user: for the account, use %s%s:%s", user, account, namespace, name)}
	}
	return nil
}

// meantAccounts returns a warning if no binding names a user, but some name a service account of this name.
func (s Scene) meantAccounts(v Verdict) []string {
	user := v.Identity.User
	if user == "" || strings.Contains(user, ":") || slices.ContainsFunc(v.Views, func(v ViewVerdict) bool { return v.Knows }) {
		return nil
	}
	found := map[string]bool{}
	for _, unit := range s.units() {
		for _, b := range rbac.Bindings(unit) {
			if subject := b.Subject; subject.Kind == rbac.KindServiceAccount && subject.Name == user && subject.Namespace != "" {
				found["system:serviceaccount:"+subject.Namespace+":"+subject.Name] = true
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("--as %s is treated as a user; bindings name an account: %s", user, words.First(3, slices.Sorted(maps.Keys(found))))}
}

// isPair returns whether a text is NAMESPACE:NAME.
func isPair(text string) bool {
	namespace, name, found := strings.Cut(text, ":")
	return found && namespace != "" && name != "" && !strings.Contains(name, ":")
}

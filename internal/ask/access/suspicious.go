package access

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
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

// isPair returns whether a text is NAMESPACE:NAME.
func isPair(text string) bool {
	namespace, name, found := strings.Cut(text, ":")
	return found && namespace != "" && name != "" && !strings.Contains(name, ":")
}

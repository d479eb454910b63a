package access

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
)

// Suspicious warns of a user name that looks like a slip of the pen for somebody else. It is asked about all the same, as
// Kubernetes knows no wrong names.
func Suspicious(user string) []string {
	const account, accounts, form = "system:serviceaccount:", "system:serviceaccounts", "system:serviceaccount:NAMESPACE:NAME"
	rest, isAccount := strings.CutPrefix(user, account)
	namespace, name, hasSlash := strings.Cut(user, "/")
	switch {
	case isAccount && !isPair(rest):
		return []string{fmt.Sprintf("--as %s is no account: the form is %s", user, form)}
	case isAccount:
		return nil
	case user == authenticated, user == unauthenticated, user == "system:masters", user == olm.Group, user == accounts,
		strings.HasPrefix(user, accounts+":"):
		return []string{fmt.Sprintf("--as %s is asked as a user, and is the name of a group: see --as-group; an account is %s", user, form)}
	case strings.HasPrefix(user, olm.Group+":"):
		return []string{fmt.Sprintf("--as %s is nobody: the user of an extension is %s", user, olm.User(strings.TrimPrefix(user, olm.Group+":")))}
	case strings.HasPrefix(user, "serviceaccount:"), strings.HasPrefix(user, "system:sa:"):
		return []string{fmt.Sprintf("--as %s is asked as a user: an account is %s", user, form)}
	case hasSlash && namespace != "" && name != "" && !strings.ContainsAny(user, ":@"):
		return []string{fmt.Sprintf("--as %s is asked as a user: the account is %s%s:%s", user, account, namespace, name)}
	}
	return nil
}

// isPair tells whether a text is NAMESPACE:NAME.
func isPair(text string) bool {
	namespace, name, found := strings.Cut(text, ":")
	return found && namespace != "" && name != "" && !strings.Contains(name, ":")
}

package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// accountPrefix begins the user names of service accounts.
const accountPrefix = "system:serviceaccount:"

// unused returns a warning if OLM does not act as the identity of an extension, or if that is unknown. The answer about the identity is
// right, but does not limit what OLM installs.
func (s Scene) unused(who rbac.Identity) []string {
	name, isUser := strings.CutPrefix(who.User, olm.User(""))
	if account, isAccount := strings.CutPrefix(who.User, accountPrefix); isAccount {
		return s.unusedAccount(account)
	}
	if !isUser && !slices.Contains(who.Groups, olm.Group) {
		return nil
	}
	named := false
	for _, e := range s.Repository.Extensions() {
		if isUser && e.Name != name {
			continue
		}
		named = true
		if actual := s.actual(e); actual != "" {
			return []string{unusedText(olm.User(e.Name), e, actual)}
		}
	}
	if isUser && !named {
		return []string{safetext.Text(fmt.Sprintf("no ClusterExtension %s is in the repository, and no release acts as %s by default: through olm-1.10, OLM acts as "+
			"the account of an extension, and from olm-1.11 on as its own account", name, who.User))}
	}
	return nil
}

// unusedAccount returns a warning if an extension names an account, as namespace:name, and OLM ignores the field.
func (s Scene) unusedAccount(account string) []string {
	for _, e := range s.Repository.Extensions() {
		if e.Account.State == olm.Named && account == e.Namespace+":"+e.Account.Name && e.Resolved.Target.Model == olm.Ignored {
			return []string{unusedText("ServiceAccount "+e.Namespace+"/"+e.Account.Name, e, s.actual(e))}
		}
	}
	return nil
}

// actual returns as which identity OLM installs an extension instead of the synthetic one; "" if it can be the synthetic one, or is
// unknown.
func (s Scene) actual(e loader.Extension) string {
	switch target := e.Resolved.Target; {
	case target.Model == olm.Required && e.Account.State == olm.Named && e.Account.Name != olm.Placeholder:
		return "ServiceAccount " + e.Namespace + "/" + e.Account.Name
	case target.Model != olm.Ignored && target.Model != olm.Removed:
		return ""
	case rbac.FindOwnAccount(s.Repository.Units, e.Unit, rbac.ControllerAccounts(target)).Limited():
		return "its own account"
	}
	return "its own account, a cluster-admin as OLM ships it"
}

func unusedText(identity string, e loader.Extension, actual string) string {
	return safetext.Text(fmt.Sprintf("OLM does not act as %s on %s: it installs ClusterExtension %s as %s, which this answer does not limit",
		identity, e.Resolved.Target.Name, e.Name, actual))
}

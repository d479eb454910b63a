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

// unused returns a warning if OLM does not act as a synthetic identity, because the release of its extensions has none. The answer
// about the identity is right, but limits nothing that OLM installs.
func (s Scene) unused(who rbac.Identity) []string {
	name, isUser := strings.CutPrefix(who.User, olm.User(""))
	if !isUser && !slices.Contains(who.Groups, olm.Group) {
		return nil
	}
	for _, e := range s.Repository.Extensions() {
		target := e.Resolved.Target
		if isUser && e.Name != name || target.Model != olm.Ignored && target.Model != olm.Removed {
			continue
		}
		if own := rbac.FindOwnAccount(s.Repository.Units, e.Unit, rbac.ControllerAccounts(target)); own.Limited() {
			return []string{s.unusedText(e, "its own account")}
		}
		return []string{s.unusedText(e, "its own account, a cluster-admin as OLM ships it")}
	}
	return nil
}

func (s Scene) unusedText(e loader.Extension, own string) string {
	return safetext.Text(fmt.Sprintf("OLM does not act as %s on %s: it installs ClusterExtension %s as %s, which this answer does not limit",
		olm.User(e.Name), e.Resolved.Target.Name, e.Name, own))
}

package assess

import (
	"fmt"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// askPreAuthorizer replaces the answer by that of operator-controller's pre-authorizer, where a signal shows that it runs and it refuses
// more than the API server. It asks as the user of the account, without groups (operator-controller v1.10.0,
// internal/operator-controller/applier/helm.go, getUserInfo).
func (p *assessment) askPreAuthorizer(a *answer.Answer, i *installer.Installer, in preflight.Input) error {
	chosen := p.options.Identity != nil || p.options.ServiceAccount != ""
	signal, runs := olm.PreAuthorizes(i.Resolved.Target, i.Resolved.Signals)
	if !runs || chosen || p.holds != nil || i.Acting != installer.AsIdentity || i.From == nil {
		return nil
	}
	extension, _ := olm.ReadExtension(i.From.Node)
	if extension.Account.State != olm.Named {
		return nil
	}
	in.PreAuthorizer, in.Note = true, nil
	in.Identity = rbac.Identity{User: objects.Account{Namespace: i.Namespace, Name: extension.Account.Name}.User()}
	seen, err := preflight.Check(in)
	if err != nil {
		return err
	}
	more := preflight.Without(seen.Missing, a.Result.Missing)
	if len(more) == 0 {
		return nil
	}
	a.Result = seen
	a.Notes = append(a.Notes, fmt.Sprintf("%s, so operator-controller's pre-authorizer runs and refuses what it does not see: it asks as %s without groups, "+
		"and accepts escalate only in the whole cluster. The API server alone would allow more", signal.Description, in.Identity.User))
	return nil
}

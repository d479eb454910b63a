package assess

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
)

// releaseBinding is the binding with which a release makes OLM's own account a cluster-admin (operator-controller v1.11.0,
// helm/olmv1/templates/rbac; openshift/cluster-olm-operator #222).
const releaseBinding = "operator-controller-cluster-admin-rolebinding"

// ownAccount reports whether a user is the account of operator-controller, under the name that every release ships, and the binding of
// the repository that makes it a cluster-admin; nil if there is none.
func (p *assessment) ownAccount(user string) (bool, *rbac.Binding) {
	all := rbac.ControllerAccounts(olm.UnknownTarget())
	i := slices.IndexFunc(all, func(a objects.Account) bool { return a.User() == user })
	if i < 0 {
		return false, nil
	}
	for _, own := range rbac.FindOwnAccounts(p.world.Units, all[i:i+1]) {
		if own.Admin != nil {
			return true, own.Admin
		}
	}
	return true, nil
}

// explainOwn says what a refusal of OLM's own account means, and what to do instead of granting single permissions.
func (p *assessment) explainOwn(a *answer.Answer) {
	own, admin := p.ownAccount(a.Identity.User)
	if !own || !a.Missing() {
		return
	}
	target := p.targetOf(a.Extension)
	identities := target != nil && (target.Model == olm.Required || target.Model == olm.Synthetic)
	switch {
	case slices.ContainsFunc(a.Result.Missing, isImpersonation):
		a.Notes = append(a.Notes, "the user is OLM's own account: it lacks impersonate on users and groups, with which OLM acts as the synthetic identities of extensions")
		a.Errors.Advice = []string{"Grant the account impersonate on the users and the group " + olm.Group + " of the extensions, as the release does with its gate; the text contains only the first."}
	case slices.ContainsFunc(a.Result.Missing, isTokenRequest):
		a.Notes = append(a.Notes, "the user is OLM's own account: it requests tokens of the accounts of extensions, with the release's ClusterRole operator-controller-manager-role")
		a.Errors.Advice = []string{"Apply the release's ClusterRole operator-controller-manager-role and its binding again: without them no extension with an account is installed."}
	case identities:
		a.Notes = append(a.Notes, fmt.Sprintf("the user is OLM's own account, and with %s OLM installs extensions as other identities: the release's roles of the account are "+
			"missing or changed on that cluster, or it runs a release that ignores accounts", target.Name))
		a.Errors.Advice = []string{"Apply the roles and bindings of the release again, or find out which release the cluster runs: salint targets shows how."}
	default:
		a.Notes = append(a.Notes, "the user is OLM's own account, which a release makes a cluster-admin where it ignores spec.serviceAccount: its binding is missing on that cluster")
		a.Errors.Advice = []string{p.bindAgain(admin), "Check it with kubectl get clusterrolebinding " + releaseBinding + "."}
	}
}

// bindAgain returns how to make the account a cluster-admin again.
func (p *assessment) bindAgain(admin *rbac.Binding) string {
	if admin == nil {
		return "Apply the release's ClusterRoleBinding " + releaseBinding + " again, which binds the account to cluster-admin. Granting single permissions only moves the error."
	}
	at := admin.Object.Position(nil)
	return fmt.Sprintf("Apply ClusterRoleBinding %s (%s:%d), which binds the account to cluster-admin.", admin.Object.Name, p.at.Rel(at.File), at.Line)
}

func isImpersonation(s preflight.Scoped) bool {
	return slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool {
		return slices.ContainsFunc(r.Verbs, func(verb string) bool { return strings.HasPrefix(verb, "impersonate") })
	})
}

func isTokenRequest(s preflight.Scoped) bool {
	return slices.ContainsFunc(s.Rules, func(r rbacv1.PolicyRule) bool { return slices.Contains(r.Resources, "serviceaccounts/token") })
}

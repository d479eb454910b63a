package conditions

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// controllerLimited is for olm/controller-permissions: a unit installs operator-controller, whose account is not known to be
// a cluster-admin. A deferred unit may.
func controllerLimited(s *Evaluated) bool {
	core := ""
	if slices.ContainsFunc(s.Deferred, func(u *objects.Unit) bool {
		return u.Pending() && slices.ContainsFunc(rbac.ControllerAccounts(s.Target), func(a objects.Account) bool {
			return u.MayHold(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Name: a.Name})
		})
	}) {
		return true
	}
	return s.Cached(controllerLimitedKey{s.Target.Name}, func() any {
		shown := rbac.FindOwnAccounts(objects.Answering(s.Units), rbac.ControllerAccounts(s.Target))
		return slices.ContainsFunc(shown, rbac.OwnAccount.Restricted)
	}).(bool)
}

// controllerLimitedKey is the key of cached answers, by the name of the target.
type controllerLimitedKey struct{ target string }

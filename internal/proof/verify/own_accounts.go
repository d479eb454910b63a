package verify

import (
	"sync"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// ownAccounts is what all units of the repository before the changes show of the accounts of operator-controller, searched once for
// each target.
type ownAccounts struct {
	units []*objects.Unit

	mu       sync.Mutex
	byTarget map[string][]rbac.OwnAccount
}

// near returns what counts for a unit.
func (o *ownAccounts) near(u *objects.Unit, target olm.Target) rbac.OwnAccount {
	return rbac.NearestOwnAccount(o.of(target), u)
}

func (o *ownAccounts) of(target olm.Target) []rbac.OwnAccount {
	o.mu.Lock()
	defer o.mu.Unlock()
	shown, known := o.byTarget[target.Name]
	if !known {
		shown = rbac.FindOwnAccounts(o.units, rbac.ControllerAccounts(target))
		if o.byTarget == nil {
			o.byTarget = map[string][]rbac.OwnAccount{}
		}
		o.byTarget[target.Name] = shown
	}
	return shown
}

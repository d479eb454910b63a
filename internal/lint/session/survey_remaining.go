package session

import (
	"slices"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Remaining is an object that stays on the cluster when its manifest is removed.
type Remaining struct {
	Object *objects.Object
	// Why is a sentence without a full stop, and Command deletes the object.
	Why, Command string
}

// remaining returns the account of an extension and its bindings, as far as they stay on the cluster when they are removed from the
// repository. Bindings come first, because they give the permissions.
func (s *surveyor) remaining(unit *objects.Unit, o *objects.Object) (all []Remaining) {
	extension, _ := olm.ReadExtension(o.Node)
	if extension.Account.State != olm.Named {
		return nil
	}
	account := objects.Account{Namespace: extension.Namespace, Name: extension.Account.Name}
	var kept []*objects.Object
	for _, b := range rbac.BindingsOf(unit, o, rbac.Account(account)) {
		if b.Via == "" && !slices.Contains(kept, b.Object) {
			kept = append(kept, b.Object)
		}
	}
	core := ""
	accounts := unit.Find(objects.Query{Group: &core, Kind: rbac.KindServiceAccount, Namespace: account.Namespace, Name: account.Name})
	for _, o := range append(kept, accounts...) {
		if why, is := s.session.snapshot.Delivery.KeepsRemoved(unit, o); is {
			all = append(all, Remaining{o, why, delivery.DeleteCommand(o)})
		}
	}
	return all
}

package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// EarlyRemoval is an account or one of its bindings that can be deleted from the cluster before a change of the extension that
// acts as the account is applied.
type EarlyRemoval struct {
	Object *objects.Object
	// Unit applies the object.
	Unit *objects.Unit
	// Why is the reason, a sentence without a full stop.
	Why string
}

// EarlyRemoval returns what can be deleted too early if one commit changes an extension of a unit and removes its account. isRemoved
// reports whether the manifest of an account is removed. Flux and Helm delete what a unit no longer contains after they have applied
// the rest; Argo CD does so in each sync wave before it applies the wave. Two units have no order that is known to hold, unless
// the unit of the account waits for that of the extension.
func (d *Delivery) EarlyRemoval(u *objects.Unit, extension *objects.Object, account objects.Account, isRemoved func(*objects.Object) bool) (EarlyRemoval, bool) {
	all := query("", rbac.KindServiceAccount, account.Namespace, account.Name)
	if own, _ := u.Near(extension, u.Find(all)); len(own) > 0 {
		if !slices.ContainsFunc(own, isRemoved) {
			return EarlyRemoval{}, false
		}
		return d.earlyWithin(u, extension, rbac.Account(account))
	}
	for _, other := range d.unitsWithAccount(account.Name) {
		for _, o := range other.Find(all) {
			if other == u || !isRemoved(o) {
				continue
			}
			if why, early := d.earlyInUnit(other, o, u, extension); early {
				return EarlyRemoval{o, other, why}, true
			}
		}
	}
	return EarlyRemoval{}, false
}

// earlyWithin compares the sync waves of the account and its bindings with that of the extension. Roles do not count, because
// they can stay. An unknown tool can be Argo CD.
func (d *Delivery) earlyWithin(u *objects.Unit, extension *objects.Object, subject rbac.Subject) (EarlyRemoval, bool) {
	by := d.appliers(u)
	if len(by) == 0 {
		by = unknownTools
	}
	for _, grant := range grantsIn(u, extension, subject, nil) {
		if grant.Kind == "Role" || grant.Kind == "ClusterRole" {
			continue
		}
		for _, a := range by {
			first, second := member(a, grant), member(a, extension)
			if a.Tool == gitops.ArgoCD && !applying.PrunesLast(a, first.Annotations) && d.order(second, first).Relation == applying.After {
				return EarlyRemoval{grant, u, d.order(first, second).Why}, true
			}
		}
	}
	return EarlyRemoval{}, false
}

// earlyInUnit reports whether an application of the account's unit can delete the account before an application of the
// extension's unit applies a change there, and why.
func (d *Delivery) earlyInUnit(unit *objects.Unit, account *objects.Object, of *objects.Unit, extension *objects.Object) (why string, early bool) {
	deleting, changing := d.appliers(unit), d.appliers(of)
	if len(deleting) == 0 || len(changing) == 0 {
		return d.order(applying.Member{}, applying.Member{}).Why, true
	}
	for _, a := range deleting {
		for _, b := range changing {
			if sameCluster(a, b) && d.order(member(b, extension), member(a, account)).Relation != applying.Before {
				return d.order(member(a, account), member(b, extension)).Why, true
			}
		}
	}
	return "", false
}

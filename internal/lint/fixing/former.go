package fixing

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// NamedAccount is the account that an extension named, as a unit applied it at a revision.
type NamedAccount struct {
	Unit      objects.UnitKey
	Extension string
	Account   objects.Account
}

// AccountsNamedIn returns the accounts that extensions name, in the order of the units.
func AccountsNamedIn(units []*objects.Unit) (named []NamedAccount) {
	for _, e := range extensionsIn(units) {
		if e.account.State == olm.Named {
			account := objects.Account{Namespace: e.namespace, Name: e.account.Name}
			named = append(named, NamedAccount{e.unit.Key(), e.object.Name, account})
		}
	}
	return named
}

// State is the state of the repository that the cluster has: the changes that the default branch lacks are not applied.
type State struct {
	// Revision names it; "" if there is none, as before the first commit.
	Revision string
	// Accounts are those that extensions name in it.
	Accounts []NamedAccount
	// Unknown is why they are not known; nil if they are.
	Unknown error
}

// appliedExtension is an extension as a unit applies it.
type appliedExtension struct {
	unit      *objects.Unit
	object    *objects.Object
	namespace string
	account   olm.Account
}

func extensionsIn(units []*objects.Unit) (all []appliedExtension) {
	group := olm.APIGroup
	for _, unit := range units {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
			if read, ok := olm.ReadExtension(o.Node); ok {
				all = append(all, appliedExtension{unit, o, read.Namespace, read.Account})
			}
		}
	}
	return all
}

// lost returns the extensions that no longer name the account which they named in a state. An extension that is gone is none of them.
// Units that were renamed are found by the name of the extension.
func lost(extensions []appliedExtension, named []NamedAccount) (all []lostAccount) {
	for _, n := range named {
		var same, others []appliedExtension
		for _, e := range extensions {
			switch {
			case e.object.Name != n.Extension:
			case e.unit.Key() == n.Unit:
				same = append(same, e)
			default:
				others = append(others, e)
			}
		}
		if len(same) == 0 {
			same = others
		}
		for _, e := range same {
			if e.account.State != olm.Named || e.account.Name != n.Account.Name || e.namespace != n.Account.Namespace {
				all = append(all, lostAccount{e, n.Account})
			}
		}
	}
	return all
}

// lostAccount is an extension with an account that it no longer names.
type lostAccount struct {
	appliedExtension
	named objects.Account
}

// LoseAccounts reports whether an extension does not name the account that it named at a revision.
func LoseAccounts(units []*objects.Unit, then []NamedAccount) bool {
	return len(lost(extensionsIn(units), then)) > 0
}

// LostSince returns the accounts of a snapshot that extensions named at a revision and do not name now, as their files have them.
func LostSince(units []*objects.Unit, then []NamedAccount) (left Leftovers) {
	group := ""
	for _, l := range lost(extensionsIn(units), then) {
		for _, unit := range units {
			for _, o := range unit.Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount, Namespace: l.named.Namespace, Name: l.named.Name}) {
				if source := o.Source(); source != nil && !slices.Contains(left.Objects, leftoverOf(source)) {
					left.Objects = append(left.Objects, leftoverOf(source))
				}
			}
		}
	}
	return left
}

// MayLoseAccounts reports whether a change of files can have removed the account of an extension: one without an account is applied by a
// unit that reads one of the files.
func MayLoseAccounts(units []*objects.Unit, changed map[string]bool) bool {
	return slices.ContainsFunc(extensionsIn(units), func(e appliedExtension) bool {
		return e.account.State != olm.Named && (changed[e.object.File] || len(e.unit.ReadOf(changed)) > 0)
	})
}

package fixing

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// NamedAccount is the account that an extension named, as a unit applied it at a revision.
type NamedAccount struct {
	Unit objects.UnitKey
	// Extension is the name of the extension, and File that of its manifest.
	Extension, File string
	Account         objects.Account
}

// AccountsNamedIn returns the accounts that extensions name, in the order of the units.
func AccountsNamedIn(units []*objects.Unit) (named []NamedAccount) {
	for _, e := range extensionsIn(units) {
		if e.account.State == olm.Named {
			account := objects.Account{Namespace: e.namespace, Name: e.account.Name}
			named = append(named, NamedAccount{e.unit.Key(), e.object.Name, e.object.File, account})
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

// Lost are the accounts that extensions named at a revision and do not name now, as their files have them.
type Lost struct {
	Leftovers
	// Deleted are the names of the extensions that are gone, and Files those of their manifests, by the account that they named.
	Deleted, Files map[LeftoverObject]string
}

// LoseAccounts reports whether an extension does not name the account that it named at a revision, or is gone.
func LoseAccounts(units []*objects.Unit, then []NamedAccount) bool {
	extensions := extensionsIn(units)
	return len(lost(extensions, then)) > 0 || slices.ContainsFunc(then, newPresence(units, extensions, then).isGone)
}

// LostSince returns the accounts of a snapshot that extensions named at a revision and do not name now.
func LostSince(units []*objects.Unit, then []NamedAccount) Lost {
	left := Lost{Deleted: map[LeftoverObject]string{}, Files: map[LeftoverObject]string{}}
	extensions := extensionsIn(units)
	for _, l := range lost(extensions, then) {
		for _, o := range accountsIn(units, l.named) {
			left.add(o)
		}
	}
	now := newPresence(units, extensions, then)
	for _, n := range then {
		if !now.isGone(n) {
			continue
		}
		for _, o := range now.accountsOf(n) {
			if !now.isNamed(o, n.Account) && left.add(o) {
				left.Deleted[leftoverOf(manifestOf(o))], left.Files[leftoverOf(manifestOf(o))] = n.Extension, n.File
			}
		}
	}
	return left
}

// add reports whether the account of an object is new.
func (l *Lost) add(o *objects.Object) bool {
	account := leftoverOf(manifestOf(o))
	if slices.Contains(l.Objects, account) {
		return false
	}
	l.Objects = append(l.Objects, account)
	return true
}

// presence is where extensions are now, to find those that are gone since a revision.
type presence struct {
	all   []*objects.Unit
	units map[objects.UnitKey]*objects.Unit
	// at has the extensions by their name, by name and unit, and by name and file. moved are the names of those that are in a plain
	// file which did not have them at the revision.
	at    map[extensionPlace]bool
	moved map[string]bool
	// naming has the extensions by the account that they name.
	naming map[objects.Account][]appliedExtension
}

type extensionPlace struct {
	name, file string
	unit       objects.UnitKey
}

func newPresence(units []*objects.Unit, extensions []appliedExtension, then []NamedAccount) presence {
	p := presence{
		all: units, units: map[objects.UnitKey]*objects.Unit{}, at: map[extensionPlace]bool{}, moved: map[string]bool{},
		naming: map[objects.Account][]appliedExtension{},
	}
	for _, u := range units {
		p.units[u.Key()] = u
	}
	was := map[extensionPlace]bool{}
	for _, n := range then {
		was[extensionPlace{name: n.Extension, file: n.File}] = true
	}
	for _, e := range extensions {
		inFile := extensionPlace{name: e.object.Name, file: e.object.File}
		for _, place := range []extensionPlace{inFile, {name: e.object.Name}, {name: e.object.Name, unit: e.unit.Key()}} {
			p.at[place] = true
		}
		account := objects.Account{Namespace: e.namespace, Name: e.account.Name}
		p.naming[account] = append(p.naming[account], e)
		if e.unit.Kind == objects.PlainUnit && !was[inFile] {
			p.moved[e.object.Name] = true
		}
	}
	return p
}

// isGone reports whether the unit of an extension no longer has it. It is not gone if its unit, or its plain file, may have been renamed.
func (p presence) isGone(n NamedAccount) bool {
	switch unit := p.units[n.Unit]; {
	case unit == nil:
		return !p.at[extensionPlace{name: n.Extension}]
	case unit.Kind == objects.PlainUnit:
		return !p.at[extensionPlace{name: n.Extension, file: n.File}] && !p.moved[n.Extension]
	}
	return !p.at[extensionPlace{name: n.Extension, unit: n.Unit}]
}

// accountsOf returns the accounts that an extension that is gone can have meant: those of its unit, among plain files the nearest ones.
func (p presence) accountsOf(n NamedAccount) []*objects.Object {
	unit := p.units[n.Unit]
	if unit == nil {
		return accountsIn(p.all, n.Account)
	}
	owned, _ := unit.Near(&objects.Object{File: n.File}, accountsIn([]*objects.Unit{unit}, n.Account))
	return owned
}

// isNamed reports whether another extension of its unit names an account, as one does that was renamed.
func (p presence) isNamed(o *objects.Object, account objects.Account) bool {
	return slices.ContainsFunc(p.naming[account], func(e appliedExtension) bool {
		owned, _ := e.unit.Near(e.object, accountsIn([]*objects.Unit{e.unit}, account))
		return slices.Contains(owned, o)
	})
}

// accountsIn returns the accounts of a name in units.
func accountsIn(units []*objects.Unit, account objects.Account) (all []*objects.Object) {
	group := ""
	for _, unit := range units {
		all = append(all, unit.Find(objects.Query{Group: &group, Kind: rbac.KindServiceAccount, Namespace: account.Namespace, Name: account.Name})...)
	}
	return all
}

// MayLoseAccounts reports whether a change of files can have removed the account of an extension: one without an account is applied by a
// unit that reads one of the files.
func MayLoseAccounts(units []*objects.Unit, changed map[string]bool) bool {
	return slices.ContainsFunc(extensionsIn(units), func(e appliedExtension) bool {
		return e.account.State != olm.Named && (changed[e.object.File] || len(e.unit.ReadOf(changed)) > 0)
	})
}

// MayLeaveOut reports whether a change of files that are no manifests, such as kustomizations and values, can make a unit leave out an
// extension.
func MayLeaveOut(units []*objects.Unit, changed map[string]bool) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return u.Kind != objects.PlainUnit && slices.ContainsFunc(u.ReadOf(changed), func(file string) bool {
			return !slices.ContainsFunc(u.AsWritten(), func(o *objects.Object) bool { return o.File == file })
		})
	})
}

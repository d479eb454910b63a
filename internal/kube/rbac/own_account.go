package rbac

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac/policyrules"
)

// OwnAccount is what a repository shows of the permissions of the account of operator-controller, as which OLM installs
// extensions where it ignores their accounts. The zero value is that of a repository that shows nothing: then the account
// is a cluster-admin, as OLM ships it.
type OwnAccount struct {
	Account objects.Account
	// Unit has the bindings; nil if the repository shows none.
	Unit *objects.Unit
	// Bindings are those that name the account.
	Bindings []Binding
	// Admin is the binding that makes the account a cluster-admin, or the first of several that do so together; nil if it is
	// not known to be one.
	Admin *Binding
	// Installed is true if the unit has the account itself, so that it installs OLM with all its bindings. Otherwise they add to
	// those of the release.
	Installed bool
	// Disputed is true if a unit that is as near shows the account as a cluster-admin.
	Disputed bool
}

// Shown reports whether the repository shows the permissions of the account.
func (o OwnAccount) Shown() bool { return o.Unit != nil }

// Limited reports whether the repository shows bindings of the account with which it is not known to be a cluster-admin. They
// can also be additions to the binding of the release.
func (o OwnAccount) Limited() bool { return o.Shown() && o.Admin == nil }

// Restricted reports whether the repository installs OLM so that its account is not known to be a cluster-admin.
func (o OwnAccount) Restricted() bool { return o.Limited() && o.Installed }

// openShiftController is the namespace of operator-controller on OpenShift.
const openShiftController = "openshift-operator-controller"

// ControllerAccounts returns the accounts as which OLM of a target can act: upstream's, OpenShift's, or for a bare model any of
// them.
func ControllerAccounts(target olm.Target) []objects.Account {
	return slices.DeleteFunc(OLMAccounts(), func(a objects.Account) bool {
		return a.Name != "operator-controller-controller-manager" ||
			target.Release() && target.OpenShift() != (a.Namespace == openShiftController)
	})
}

// FindOwnAccount returns what the units of a repository show of one of the accounts. Of several units with bindings, the
// nearest to the asking unit counts, because OLM is often installed by another unit than its extensions. Of equally near
// units, one that does not make the account a cluster-admin counts.
func FindOwnAccount(units []*objects.Unit, near *objects.Unit, accounts []objects.Account) OwnAccount {
	return NearestOwnAccount(FindOwnAccounts(units, accounts), near)
}

// FindOwnAccounts returns all that the units of a repository show of the accounts, for [NearestOwnAccount]: few units bind one of
// them, so that many units can ask without searching all others.
func FindOwnAccounts(units []*objects.Unit, accounts []objects.Account) []OwnAccount {
	var found []OwnAccount
	for _, unit := range units {
		for _, account := range append(slices.Clone(accounts), deployedAccounts(unit, accounts)...) {
			if shown := ownAccountIn(unit, account); shown.Shown() {
				found = append(found, shown)
			}
		}
	}
	return found
}

type deployedAccountsKey struct{}

// deployedAccounts returns further accounts as which Deployments of operator-controller in a unit run: the unit installs OLM in another
// namespace, or with another name.
func deployedAccounts(unit *objects.Unit, others []objects.Account) []objects.Account {
	deployed := unit.Cached(deployedAccountsKey{}, func() any {
		var found []objects.Account
		for _, o := range unit.Objects {
			if o.Group != "apps" || o.Kind != "Deployment" {
				continue
			}
			if name := olm.ControllerAccount(o.Node); name != "" {
				found = append(found, objects.Account{Namespace: o.Namespace, Name: name})
			}
		}
		return found
	}).([]objects.Account)
	return slices.DeleteFunc(slices.Clone(deployed), func(a objects.Account) bool { return slices.Contains(others, a) })
}

// NearestOwnAccount returns that of the results of [FindOwnAccounts] which counts for a unit.
func NearestOwnAccount(shown []OwnAccount, near *objects.Unit) OwnAccount {
	var found OwnAccount
	best := -1
	for _, own := range shown {
		switch distance := nearness(own.Unit, near); {
		case distance < best:
		case distance > best:
			best, found = distance, own
		case own.Limited() && !found.Limited():
			own.Disputed, found = true, own
		case found.Limited() && !own.Limited():
			found.Disputed = true
		}
	}
	return found
}

// nearness counts the folders that the roots of two units have in common. A unit is nearest to itself.
func nearness(a, b *objects.Unit) int {
	const same = 1 << 20
	if a == b {
		return same
	}
	if b == nil {
		return 0
	}
	folders, others := strings.Split(a.Root, "/"), strings.Split(b.Root, "/")
	n := 0
	for n < len(folders) && n < len(others) && folders[n] == others[n] {
		n++
	}
	return n
}

// ownAccountIn returns what one unit shows of an account.
func ownAccountIn(u *objects.Unit, account objects.Account) OwnAccount {
	who := Account(account).Identity()
	own := OwnAccount{Account: account}
	clusterWide := false
	for _, b := range BindingsFor(u, nil, who) {
		if b.Default || b.Via != "" {
			continue
		}
		own.Bindings = append(own.Bindings, b)
		clusterWide = clusterWide || b.Scope == ""
	}
	own.Installed = slices.ContainsFunc(u.Objects, func(o *objects.Object) bool {
		return o.Group == "" && o.Kind == KindServiceAccount && o.Name == account.Name && o.Namespace == account.Namespace
	})
	// The controller cannot work with grants in namespaces alone, so they only add to those of the release.
	if len(own.Bindings) == 0 || !clusterWide && !own.Installed {
		return OwnAccount{}
	}
	own.Unit, own.Admin = u, administrating(u, own.Bindings)
	return own
}

// administrating returns the binding that allows everything, or the first of several that do so together; nil if it is not
// certain that they do.
func administrating(u *objects.Unit, bindings []Binding) *Binding {
	index := indexOf(u)
	var first *Binding
	var all Effective
	for _, b := range bindings {
		if b.Scope != "" || !b.certain() || b.TransientField != "" {
			continue
		}
		rules := index.rulesOf(b)
		if ok, _ := policyrules.Covers(rules.rules, policyrules.ClusterAdmin); ok {
			return &b
		}
		if first == nil {
			first = &b
		}
		all.add(b, rules)
	}
	if ok, _ := policyrules.Covers(all.Cluster, policyrules.ClusterAdmin); ok {
		return first
	}
	return nil
}

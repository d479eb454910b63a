package delivery

import (
	"cmp"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// clusters groups units that are on one cluster: a unit with applications, what these apply to their own cluster, and so on. The
// unit of plain files is in no group, because its files can belong to several clusters.
type clusters struct {
	// groups are the units that stand for the groups of others.
	groups map[*objects.Unit]*objects.Unit
	// accounts are the units of a group that create accounts in a namespace.
	accounts map[place][]*objects.Unit
	// installers are the objects of a group that can create others in a namespace, "" for any one.
	installers map[place][]*objects.Object
}

// place is a namespace of the cluster of a group, which one of its units stands for.
type place struct {
	group     *objects.Unit
	namespace string
}

func (d *Delivery) groupByCluster() *clusters {
	c := &clusters{d.groups(), map[place][]*objects.Unit{}, map[place][]*objects.Object{}}
	for _, unit := range d.units() {
		group := c.of(unit)
		for _, namespace := range accountNamespaces(unit) {
			c.accounts[place{group, namespace}] = append(c.accounts[place{group, namespace}], unit)
		}
		for namespace, installers := range unit.OpaqueInstallersByNamespace() {
			installers = slices.DeleteFunc(slices.Clone(installers), d.isRendered)
			c.installers[place{group, namespace}] = append(c.installers[place{group, namespace}], installers...)
		}
	}
	for _, a := range d.result().Applications {
		if _, acts := d.result().Impersonation(a); acts || !a.InOtherRepository() {
			continue
		}
		for _, holder := range d.holders()[a.Object] {
			at := place{c.of(holder), foreignNamespace(a)}
			c.installers[at] = append(c.installers[at], a.Object)
		}
	}
	return c
}

// isRendered reports whether all that an application applies is known: its charts are in the repository, and were rendered.
func (d *Delivery) isRendered(o *objects.Object) bool {
	applied := d.applied()[o]
	for _, a := range applied {
		if a.application.InOtherRepository() || !isWhole(a.unit) {
			return false
		}
	}
	return len(applied) > 0
}

// foreignNamespace returns the namespace of what an application applies from another repository, "" if it can be any. Only a
// Kustomization changes the namespaces of all objects, and most charts set none.
func foreignNamespace(a *gitops.Application) string {
	isChart := !slices.ContainsFunc(a.Sources, func(s gitops.Source) bool { return s.Kind != gitops.Chart && s.Kind != gitops.Reference })
	if a.Tool == gitops.FluxKustomize || isChart {
		return a.Target.Value
	}
	return ""
}

// groups returns the unit that stands for the group of each unit that does not stand for itself.
func (d *Delivery) groups() map[*objects.Unit]*objects.Unit {
	joined := unions{}
	for _, a := range d.result().Applications {
		for _, holder := range d.holders()[a.Object] {
			for _, applied := range d.applied()[a.Object] {
				if applied.application == a && a.OwnCluster() {
					joined.join(holder, applied.unit)
				}
			}
		}
	}
	groups := make(map[*objects.Unit]*objects.Unit, len(joined))
	for unit := range joined {
		groups[unit] = joined.top(unit)
	}
	return groups
}

// unions are sets of units, each unit with another one of its set.
type unions map[*objects.Unit]*objects.Unit

func (j unions) top(u *objects.Unit) *objects.Unit {
	for j[u] != nil {
		if next := j[j[u]]; next != nil {
			j[u] = next
		}
		u = j[u]
	}
	return u
}

func (j unions) join(a, b *objects.Unit) {
	if a.Kind == objects.PlainUnit || b.Kind == objects.PlainUnit {
		return
	}
	if a, b = j.top(a), j.top(b); a != b {
		j[b] = a
	}
}

// of returns the unit that stands for the group of a unit.
func (c *clusters) of(u *objects.Unit) *objects.Unit { return cmp.Or(c.groups[u], u) }

// accountNamespaces returns the namespaces in which a unit creates accounts, each once.
func accountNamespaces(u *objects.Unit) []string {
	core := ""
	var namespaces []string
	for _, o := range u.Find(objects.Query{Group: &core, Kind: "ServiceAccount"}) {
		if o.Name != "default" {
			namespaces = append(namespaces, o.Namespace)
		}
	}
	slices.Sort(namespaces)
	return slices.Compact(namespaces)
}

// Neighbors are what the cluster of an application has in the namespace of its account, as far as the repository shows that.
type Neighbors struct {
	// Accounts are other accounts that units without unread parts create in the namespace, sorted.
	Accounts []string
	// Installers can create further objects in the namespace, which the repository does not contain.
	Installers []*objects.Object
}

// Neighbors returns the neighbors of the account as which an application is applied.
func (d *Delivery) Neighbors(a Acting) Neighbors {
	var n Neighbors
	seen := map[*objects.Unit]bool{}
	for _, unit := range d.around(a.Application) {
		if seen[unit] {
			continue
		}
		seen[unit] = true
		n.addUnit(unit, a.Account)
	}
	if a.Application.OwnCluster() {
		groups := map[*objects.Unit]bool{}
		for _, unit := range d.around(a.Application) {
			group := d.clusters().of(unit)
			if groups[group] {
				continue
			}
			groups[group] = true
			for _, sibling := range d.clusters().accounts[place{group, a.Account.Namespace}] {
				if !seen[sibling] {
					seen[sibling] = true
					n.addUnit(sibling, a.Account)
				}
			}
			n.addInstallers(d.clusters(), group, a)
		}
	}
	slices.Sort(n.Accounts)
	n.Accounts = slices.Compact(n.Accounts)
	return n
}

// around returns the units that contain the application, if it is applied to its own cluster, and those that it applies.
func (d *Delivery) around(a *gitops.Application) []*objects.Unit {
	var units []*objects.Unit
	if a.OwnCluster() {
		units = append(units, d.holders()[a.Object]...)
	}
	return append(units, d.appliedBy(a)...)
}

// addUnit adds the accounts of a unit. A unit with parts that were not read may create the missing one.
func (n *Neighbors) addUnit(u *objects.Unit, account objects.Account) {
	core := ""
	for _, o := range u.Find(objects.Query{Group: &core, Kind: "ServiceAccount", Namespace: account.Namespace}) {
		if isWhole(u) && o.Namespace == account.Namespace && o.Name != account.Name && o.Name != "default" {
			n.Accounts = append(n.Accounts, o.Name)
		}
	}
}

// addInstallers adds what can create accounts in the namespace. An application cannot create the account that it needs.
func (n *Neighbors) addInstallers(c *clusters, group *objects.Unit, a Acting) {
	for _, namespace := range []string{"", a.Account.Namespace} {
		for _, o := range c.installers[place{group, namespace}] {
			if o != a.Application.Object {
				n.Installers = append(n.Installers, o)
			}
		}
	}
}

// isWhole reports whether all objects of a unit are known.
func isWhole(u *objects.Unit) bool {
	return !u.NotBuilt && len(u.Remotes)+len(u.Problems)+len(u.LeftOut) == 0
}

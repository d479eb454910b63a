package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/kube/objects"
)

// clusters are the clusters of units, with what they have in namespaces.
type clusters struct {
	*cluster.Clusters

	// accounts are the units of a group that create accounts in a namespace.
	accounts map[place][]*objects.Unit
	// installers are the objects of a group that can create others in a namespace, "" for any one.
	installers map[place][]*objects.Object
}

// group is a cluster, or a unit of which the cluster is not known. The unit of plain files is a group by itself, because its files can
// belong to several clusters.
type group any

// place is a namespace of a group.
type place struct {
	group     group
	namespace string
}

func (d *Delivery) groupByCluster() *clusters {
	c := &clusters{d.Clusters(nil), map[place][]*objects.Unit{}, map[place][]*objects.Object{}}
	for _, unit := range d.units() {
		installers := unit.OpaqueInstallersByNamespace()
		for _, group := range c.of(unit) {
			for _, namespace := range accountNamespaces(unit) {
				c.accounts[place{group, namespace}] = append(c.accounts[place{group, namespace}], unit)
			}
			for namespace, of := range installers {
				of = slices.DeleteFunc(slices.Clone(of), d.isRendered)
				c.installers[place{group, namespace}] = append(c.installers[place{group, namespace}], of...)
			}
		}
	}
	for _, a := range d.result().Applications {
		if _, acts := d.result().Impersonation(a); acts || !a.InOtherRepository() {
			continue
		}
		for _, holder := range d.holders()[a.Object] {
			for _, group := range c.of(holder) {
				at := place{group, foreignNamespace(a)}
				c.installers[at] = append(c.installers[at], a.Object)
			}
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
	isChart := !slices.ContainsFunc(a.Sources, func(s sources.Source) bool { return s.Kind != sources.Chart && s.Kind != sources.Reference })
	if a.Tool == gitops.FluxKustomize || isChart {
		return a.Target.Value
	}
	return ""
}

// Clusters returns the clusters that the applications show, in which roots have the names of the settings.
func (d *Delivery) Clusters(names cluster.Names) *cluster.Clusters {
	var placements []cluster.Placement
	for _, a := range d.result().Applications {
		holders := d.holders()[a.Object]
		if in := a.AppliedIn(); in != nil {
			holders = []*objects.Unit{in}
		}
		placements = append(placements, cluster.Placement{Application: a, Holders: holders, Applied: d.appliedBy(a)})
	}
	return cluster.New(d.units(), placements, names)
}

// appliedBy returns the units that an application applies.
func (d *Delivery) appliedBy(a *gitops.Application) []*objects.Unit {
	var units []*objects.Unit
	for _, applied := range d.applied()[a.Object] {
		if applied.application == a {
			units = append(units, applied.unit)
		}
	}
	return units
}

// of returns the groups of a unit.
func (c *clusters) of(u *objects.Unit) []group {
	var groups []group
	for _, of := range c.Of(u) {
		groups = append(groups, of)
	}
	if len(groups) == 0 {
		return []group{u}
	}
	return groups
}

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
		for _, group := range d.groupsAround(a.Application) {
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

// groupsAround returns the groups of the units around an application, each once.
func (d *Delivery) groupsAround(a *gitops.Application) []group {
	var groups []group
	seen := map[group]bool{}
	for _, unit := range d.around(a) {
		for _, g := range d.clusters().of(unit) {
			if !seen[g] {
				seen[g] = true
				groups = append(groups, g)
			}
		}
	}
	return groups
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
func (n *Neighbors) addInstallers(c *clusters, in group, a Acting) {
	for _, namespace := range []string{"", a.Account.Namespace} {
		for _, o := range c.installers[place{in, namespace}] {
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

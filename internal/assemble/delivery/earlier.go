package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Earlier returns the units that may grant something to a subject and that are on every cluster to which a unit is applied,
// because its applications depend on theirs or follow them in a later sync wave (applying.Order.FollowsOn). It returns none
// if one application of the unit has no such order, or deploys to a cluster that the repository does not identify.
func (d *Delivery) Earlier(u *objects.Unit, subject rbac.Subject) []*objects.Unit {
	by := d.appliers(u)
	if len(by) == 0 {
		return nil
	}
	return slices.DeleteFunc(d.unitsGranting(subject, nil), func(other *objects.Unit) bool {
		return other == u || slices.ContainsFunc(by, func(a *gitops.Application) bool { return !d.followsUnit(a, other) })
	})
}

// followsUnit reports whether an application follows one that applies a unit to the same cluster.
func (d *Delivery) followsUnit(a *gitops.Application, u *objects.Unit) bool {
	return slices.ContainsFunc(d.appliers(u), func(earlier *gitops.Application) bool {
		return clusterIsKnown(a) && clusterIsKnown(earlier) && sameCluster(a, earlier) && d.orders().FollowsOn(a, earlier)
	})
}

// clusterIsKnown reports whether two applications with the same cluster deploy to one cluster. The kubeConfig of Flux is in a
// Secret, so it does not identify the cluster.
func clusterIsKnown(a *gitops.Application) bool {
	return a.Tool == gitops.ArgoCD || a.Cluster.Value == ""
}

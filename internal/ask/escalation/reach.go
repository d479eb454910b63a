package escalation

import (
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Reach answers which accounts can become cluster-admin, also those that no object of the unit names.
type Reach struct{ world *World }

// ReachOfAdmin searches the objects of a unit that is on the cluster of a scope, as ChainsToAdmin does.
func ReachOfAdmin(r *loader.Repository, scope, unit *objects.Unit) *Reach {
	w := newWorld(r, scope, unit)
	w.search()
	return &Reach{w}
}

// Matters reports whether a rule allows a step of any chain, perhaps with others. An account whose rules, also those of its groups, allow none
// becomes nothing else; the accounts of OLM have steps without rules.
func Matters(rule rbacv1.PolicyRule) bool { return matters(rule) }

// Has reports whether an account is cluster-admin or can become it. An account that the graph does not contain can do what its groups can.
func (r *Reach) Has(a objects.Account) bool {
	for s := rbac.Account(a); ; {
		if n := r.world.byID[normal(s)]; n != nil {
			return n.distance >= 0
		}
		group := groupOf(s)
		if group == "" {
			return false
		}
		s = rbac.Subject{Kind: rbac.KindGroup, Name: group}
	}
}

package escalation

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Reach answers which accounts can become cluster-admin, also those that no object of the unit names.
type Reach struct{ world *World }

// ReachOfAdmin searches the objects of a part of a unit, which can be the unit itself. If the unit is not in the repository, what OLM does
// there is unknown.
func ReachOfAdmin(r *loader.Repository, unit, part *objects.Unit) *Reach {
	o := surroundings(r, unit)
	if len(unit.Objects) > 0 && slices.Contains(r.Scopes(), unit) {
		o = options(r, unit, rbac.Subject{})
	}
	w := NewWorld(part, o)
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

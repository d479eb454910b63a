package identity

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// bindingUnits are the units that bind an account, a user, or a group. Where the repository does not show which units go to one
// cluster, those of several clusters often have separate accounts and extensions with equal names.
type bindingUnits map[rbac.Subject][]*objects.Unit

func bindingUnitsOf(c *engine.Context) bindingUnits { return engine.Memo(c, newBindingUnits) }

func newBindingUnits(c *engine.Context) bindingUnits {
	b := bindingUnits{}
	for _, unit := range c.Repo.Units {
		bound := map[rbac.Subject]bool{}
		for _, binding := range rbac.Bindings(unit) {
			if s := binding.Subject; s.Kind != rbac.KindServiceAccount {
				bound[s] = true
			}
		}
		for _, o := range unit.Objects {
			for _, r := range o.References() {
				if r.What == objects.Subject {
					bound[rbac.Account(r.Account)] = true
				}
			}
		}
		for s := range bound {
			b[s] = append(b[s], unit)
		}
	}
	return b
}

// of returns the units that bind a subject or one of its groups, except for the group of all identities.
func (b bindingUnits) of(s rbac.Subject) []*objects.Unit {
	units := slices.Clone(b[s])
	for _, group := range s.Groups() {
		if group == authenticatedGroup {
			continue
		}
		for _, unit := range b[rbac.Subject{Kind: rbac.KindGroup, Name: group}] {
			if !slices.Contains(units, unit) {
				units = append(units, unit)
			}
		}
	}
	return units
}

// otherUnitGrants are the grants of an identity of the extension by units that do not have the extension but may go to the
// same cluster.
type otherUnitGrants struct {
	HeldGrants
	// units are the units of the bindings.
	units []*objects.Unit
}

func grantsOfOtherUnits(c *engine.Context, v *Variant, unit *objects.Unit, s rbac.Subject) otherUnitGrants {
	found := otherUnitGrants{HeldGrants: HeldGrants{subject: s}}
	for _, other := range bindingUnitsOf(c).of(s) {
		if !mayShareCluster(c, other, unit, v, s) || slices.Contains(unitsBeside(c, v, unit, s), other) {
			continue
		}
		for _, b := range rbac.BindingsOf(other, nil, s) {
			if b.Via != authenticatedGroup && b.Refused == "" {
				found.bindings, found.units = append(found.bindings, b), append(found.units, other)
			}
		}
	}
	found.list = rbac.GrantsOf(found.bindings)
	return found
}

// mayShareCluster reports whether another unit does not have the extension, but may go to the cluster of a unit that has it.
func mayShareCluster(c *engine.Context, other, unit *objects.Unit, v *Variant, s rbac.Subject) bool {
	return other != unit && !c.Lookups.Apart(unit, other) && !slices.Contains(v.Units, other) && !appliesExtension(c, other, v) && !shareChart(unit, other) &&
		!isOfAnotherCluster(other, unit, v, s)
}

// isOfAnotherCluster reports whether a unit has something that exists only once in a cluster and that the unit of the
// extension has too: an extension of that name, or the account.
func isOfAnotherCluster(other, unit *objects.Unit, v *Variant, s rbac.Subject) bool {
	group := olm.APIGroup
	if len(other.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind, Name: v.Name})) > 0 {
		return true
	}
	account := objects.Account{Namespace: s.Namespace, Name: s.Name}
	return s.Kind == rbac.KindServiceAccount && unit.Defines(account) &&
		slices.ContainsFunc(other.References(account), func(r objects.Reference) bool { return r.What != objects.Subject })
}

// checkOtherUnits refuses a migration by which the extension may lose grants that other units give the old identity, or gain
// grants that they give the new one.
func checkOtherUnits(c *engine.Context, v *Variant, unit *objects.Unit, old, new HeldGrants) error {
	if len(old.list) == 0 {
		return nil // its grants are unknown, which is refused elsewhere
	}
	before, after := grantsOfOtherUnits(c, v, unit, old.subject), grantsOfOtherUnits(c, v, unit, new.subject)
	carried := old // to the new identity
	if err := checkLost(unit, v, before, after, carried); err != nil || c.Policy.Unsafe || c.Policy.Grant.Mode == engine.GroupGrant {
		return err
	}
	for _, g := range after.uncovered(unit, v, old) {
		if !before.Has(g) {
			return engine.Refuse("%s: on the same cluster, the extension would gain this, and %s does not have it. Narrow "+
				"the binding first, or use --unsafe-fixes if this is intended; if the units go to different clusters, name these in `clusters:`",
				after.describe(g), engine.SubjectName(old.subject))
		}
	}
	return nil
}

// checkLost refuses to lose grants by other units that the new identity neither has there nor is given here.
func checkLost(unit *objects.Unit, v *Variant, before, after otherUnitGrants, keeps HeldGrants) error {
	// Grants to the group of all extensions, added by this run, must not change the decision of the next run.
	own := after.except(func(b rbac.Binding) bool { return b.Via == olm.Group })
	for _, g := range before.uncovered(unit, v, keeps) {
		if !own.Has(g) {
			return engine.Refuse("%s too: on the same cluster, this would be lost. Set --grant role=NAME, bind %s there by "+
				"hand first, apply both together, or name their clusters in `clusters:`",
				before.describe(g), granteeName(after.subject))
		}
	}
	return nil
}

// otherUnitNotes note what else the extension gains if other units go to the same cluster.
func otherUnitNotes(c *engine.Context, v *Variant, h Migration) (notes []string) {
	if slices.Contains(h.Missing, rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: "cluster-admin"}}) {
		return nil
	}
	for _, unit := range UnitsUsingIdentity(c, v) {
		before, after := grantsOfOtherUnits(c, v, unit, h.From), grantsOfOtherUnits(c, v, unit, h.To)
		for _, g := range after.uncovered(unit, v, GrantsOf(unit, v, h.From)) {
			note := after.describe(g) + ", which the extension gains if both go to the same cluster"
			if !before.Has(g) && !slices.Contains(h.Missing, g) && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// describe returns which binding grants what to which subject.
func (s otherUnitGrants) describe(g rbac.Grant) string {
	i := slices.IndexFunc(s.bindings, func(b rbac.Binding) bool { return b.Role == g.Role && b.Scope == g.Scope })
	b, to := s.bindings[i], engine.SubjectName(s.subject)
	if b.Via != "" {
		to = "Group " + b.Via + ", and so " + to + ","
	}
	return fmt.Sprintf("%s at %s, applied by %s, grants %s %s", b.Object.Kind, b.Object.Position(nil), s.units[i], to, engine.GrantName(g))
}

func granteeName(s rbac.Subject) string {
	if s.Kind == rbac.KindUser {
		return "the synthetic identity"
	}
	return engine.SubjectName(s)
}

// appliesExtension reports whether a unit applies the extension too; it is checked separately.
func appliesExtension(c *engine.Context, u *objects.Unit, v *Variant) bool {
	return slices.ContainsFunc(c.Repo.AppliedForms(v.Object), func(m applied.Form) bool { return m.Unit == u })
}

// shareChart reports whether two units render one chart: with other values, it is another release.
func shareChart(a, b *objects.Unit) bool {
	return slices.ContainsFunc(a.Renderings, func(r objects.Rendering) bool {
		return slices.ContainsFunc(b.Renderings, func(other objects.Rendering) bool { return r.Chart == other.Chart })
	})
}

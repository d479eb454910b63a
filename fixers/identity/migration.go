package identity

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Migration is the change from one identity of an extension to another.
type Migration struct {
	From, To rbac.Subject
	// Missing are the grants to add. gained are other grants of the new identity, from groups. lost are not carried over,
	// because the user asked for something else.
	Missing, gained, lost []rbac.Grant
	// roles are the roles of Missing that are generated too.
	roles []Generated
	// beside are bindings of From in other units on every cluster of the extension.
	beside []rbac.Binding
	// notes are for the plan.
	notes []string
}

// ungranted returns the gained grants that are not added.
func (h Migration) ungranted() []rbac.Grant {
	return slices.DeleteFunc(slices.Clone(h.gained), func(g rbac.Grant) bool { return slices.Contains(h.Missing, g) })
}

// migrateIdentity works out the grants to add, by the mode that the user chose.
func migrateIdentity(c *engine.Context, v *Variant, from, to rbac.Subject) (h Migration, err error) {
	switch c.Policy.Grant.Mode {
	case engine.RoleGrant:
		h = MigrateToRole(c, v, from, to)
	case engine.LeastPrivilege:
		h, err = migrateToBundleNeeds(c, v, from, to)
	default:
		h, err = carryOverGrants(c, v, from, to)
	}
	if err != nil {
		return h, err
	}
	h.notes = append(h.notes, otherUnitNotes(c, v, h)...)
	return h, nil
}

// carryOverGrants compares the identities in every unit in which they count. The added bindings reach all these units, so the
// old identity must have the same grants in all of them.
func carryOverGrants(c *engine.Context, v *Variant, from, to rbac.Subject) (Migration, error) {
	h := Migration{From: from, To: to}
	if err := checkBindingsRead(c, from); err != nil {
		return h, err
	}
	var first HeldGrants
	units := UnitsUsingIdentity(c, v)
	for i, unit := range units {
		old, new := clusterGrants(c, v, unit, from), clusterGrants(c, v, unit, to)
		if err := checkUnitRead(c, unit, from); err != nil {
			return h, err
		}
		if err := checkBesideRead(c, v, unit, from); err != nil {
			return h, err
		}
		if err := old.checkCertain(v); err != nil {
			return h, err
		}
		if err := checkTemplatedSubjects(unit, v, from); err != nil {
			return h, err
		}
		if err := checkTemplatedElsewhere(c, v, unit, from); err != nil {
			return h, err
		}
		if err := checkAccountMeant(c, v, unit, old); err != nil {
			return h, err
		}
		if i == 0 {
			first = old
		} else if !slices.Equal(first.list, old.list) {
			return h, engine.Refuse("%s has %s in %s but %s in %s, and both apply %s, so bindings beside it would reach "+
				"both: bind the roles by hand in each unit",
				engine.SubjectName(from), orNothing(first.list), units[0], orNothing(old.list), unit, v.Object.File)
		}
		if err := checkGained(c, unit, v, new, old); err != nil {
			return h, err
		}
		if err := checkOtherUnits(c, v, unit, old, new); err != nil {
			return h, err
		}
		h.Missing = union(h.Missing, old.NotHeldBy(new.CertainOnly()))
		h.gained = union(h.gained, new.NotHeldBy(old))
		h.addBeside(c, v, unit)
	}
	return h, nil
}

// MigrateToRole grants the role that the user names. Other grants of the old identity are lost on purpose.
func MigrateToRole(c *engine.Context, v *Variant, from, to rbac.Subject) Migration {
	h := Migration{From: from, To: to}
	grant := rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}}
	for _, unit := range UnitsUsingIdentity(c, v) {
		old, new := clusterGrants(c, v, unit, from), clusterGrants(c, v, unit, to)
		h.addBeside(c, v, unit)
		if !new.CertainOnly().Has(grant) {
			h.Missing = union(h.Missing, []rbac.Grant{grant})
			new.list = append(new.list, grant)
		}
		h.gained = union(h.gained, new.NotHeldBy(old))
		h.lost = union(h.lost, old.NotHeldBy(new))
	}
	return h
}

// NoteUnknownRole notes that the role that the user names is neither in the repository nor a role of every cluster.
func NoteUnknownRole(c *engine.Context, p *engine.Plan) {
	if c.Policy.Grant.Mode != engine.RoleGrant || (rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}).Builtin() {
		return
	}
	for _, unit := range c.Repo.Units {
		if len(unit.Find(objects.Query{Kind: "ClusterRole", Name: c.Policy.Grant.Role})) > 0 {
			return
		}
	}
	p.AddNote("the ClusterRole %s of --grant is not in the repository: without it, the binding grants nothing", c.Policy.Grant.Role)
}

func orNothing(grants []rbac.Grant) string {
	if len(grants) == 0 {
		return "nothing"
	}
	return engine.GrantNames(grants)
}

// checkBindingsRead refuses if bindings of the subject may be in a file that was not read.
func checkBindingsRead(c *engine.Context, s rbac.Subject) error {
	words := []string{s.Name, "system:serviceaccounts"}
	if s.Kind == "User" {
		words = []string{s.Name, olm.Group}
	}
	place, why := c.Lookups.Unread(words)
	if place == "" {
		return checkGrantedElsewhere(c, s)
	}
	return engine.Refuse("%s was not read (%s) and may bind %s, so its grants are unknown: fix that, or set --grant role=NAME", place, why, engine.SubjectName(s))
}

// checkGrantedElsewhere refuses if something other than a manifest can bind the subject: what it binds is not carried over.
func checkGrantedElsewhere(c *engine.Context, s rbac.Subject) error {
	if s.Kind != rbac.KindServiceAccount {
		return nil
	}
	place, err := c.Lookups.GrantedElsewhere(objects.Account{Namespace: s.Namespace, Name: s.Name})
	if err != nil || place == "" {
		return err
	}
	return engine.Refuse("%s can bind a role to %s, so its grants are unknown: bind its roles in a manifest, or set --grant role=NAME", place, engine.SubjectName(s))
}

// checkUnitRead refuses a unit that was not fully read: other bindings may be in the rest.
func checkUnitRead(c *engine.Context, u *objects.Unit, s rbac.Subject) error {
	why := c.Repo.UnreadPart(u)
	if why == "" {
		return nil
	}
	return engine.Refuse("%s, so the grants of %s are unknown: set --grant role=NAME, or bind its roles by hand",
		why, engine.SubjectName(s))
}

// checkGained refuses a migration by which the extension would gain unintended grants. Those of the groups of all accounts
// are unavoidable.
func checkGained(c *engine.Context, u *objects.Unit, v *Variant, new, old HeldGrants) error {
	if c.Policy.Unsafe || c.Policy.Grant.Mode == engine.GroupGrant {
		return nil
	}
	if new.subject.Kind == rbac.KindServiceAccount {
		new = new.directOnly()
	}
	extra := new.uncovered(u, v, old)
	if len(extra) == 0 {
		return nil
	}
	binding := new.BindingOf(extra[0])
	if new.subject.Kind == rbac.KindServiceAccount && len(old.list) == 0 {
		return engine.Refuse("%s, so the permissions that the new account needs are unknown, and %s at %s grants it %s: "+
			"set --grant role=NAME", nothingBound(u, v), binding.Object.Kind, binding.Object.Position(nil), engine.GrantNames(extra))
	}
	return engine.Refuse("%s at %s would grant the extension %s, which %s does not have: narrow the binding first, or use "+
		"--unsafe-fixes if this is intended",
		binding.Object.Kind, binding.Object.Position(nil), engine.GrantNames(extra), engine.SubjectName(old.subject))
}

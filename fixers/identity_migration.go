package fixers

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// identityMigration is how one identity of an extension takes over from another.
type identityMigration struct {
	from, to rbac.Subject
	// missing is to be granted. gained comes on top without anybody granting it, from groups; lost is not carried over,
	// because the user asked for something else.
	missing, gained, lost []rbac.Grant
	// roles are those among the missing that are to be generated as well.
	roles []generated
	// notes are for the plan.
	notes []string
}

// ungranted is what is gained without being granted.
func (h identityMigration) ungranted() []rbac.Grant {
	return slices.DeleteFunc(slices.Clone(h.gained), func(g rbac.Grant) bool { return slices.Contains(h.missing, g) })
}

// migrateIdentity works out what has to be granted, in the way the user wants it.
func migrateIdentity(c *Context, e *variant, from, to rbac.Subject) (h identityMigration, err error) {
	switch c.Policy.Grant.Mode {
	case RoleGrant:
		h = migrateToRole(c, e, from, to)
	case LeastPrivilege:
		h, err = migrateToBundleNeeds(c, e, from, to)
	default:
		h, err = carryOverGrants(c, e, from, to)
	}
	if err != nil {
		return h, err
	}
	h.notes = append(h.notes, otherUnitNotes(c, e, h)...)
	return h, nil
}

// carryOverGrants compares the identities in every unit where they count. The bindings that make up for the difference reach
// all of these units, so the units must agree on what was held.
func carryOverGrants(c *Context, e *variant, from, to rbac.Subject) (identityMigration, error) {
	h := identityMigration{from: from, to: to}
	if err := checkBindingsRead(c, from); err != nil {
		return h, err
	}
	var first heldGrants
	units := unitsUsingIdentity(c, e)
	for i, unit := range units {
		old, new := grantsOf(unit, e, from), grantsOf(unit, e, to)
		if err := checkUnitRead(c, unit, from); err != nil {
			return h, err
		}
		if err := old.checkCertain(e); err != nil {
			return h, err
		}
		if err := checkTemplatedSubjects(unit, e, from); err != nil {
			return h, err
		}
		if i == 0 {
			first = old
		} else if !slices.Equal(first.list, old.list) {
			return h, refuse("%s holds %s in %s and %s in %s, which share %s: "+
				"bindings beside it would reach both. Bind the roles by hand, in each of them",
				subjectName(from), orNothing(first.list), units[0], orNothing(old.list), unit, e.object.File)
		}
		if err := checkGained(c, unit, e, new, old); err != nil {
			return h, err
		}
		if err := checkOtherUnits(c, e, unit, old, new); err != nil {
			return h, err
		}
		h.missing = union(h.missing, old.notHeldBy(new.certainOnly()))
		h.gained = union(h.gained, new.notHeldBy(old))
	}
	return h, nil
}

// migrateToRole grants the one role that the user names. What else the old identity held is lost on purpose.
func migrateToRole(c *Context, e *variant, from, to rbac.Subject) identityMigration {
	h := identityMigration{from: from, to: to}
	grant := rbac.Grant{Role: rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}}
	for _, unit := range unitsUsingIdentity(c, e) {
		old, new := grantsOf(unit, e, from), grantsOf(unit, e, to)
		if !new.certainOnly().has(grant) {
			h.missing = union(h.missing, []rbac.Grant{grant})
			new.list = append(new.list, grant)
		}
		h.gained = union(h.gained, new.notHeldBy(old))
		h.lost = union(h.lost, old.notHeldBy(new))
	}
	return h
}

// noteUnknownRole notes that the role the user named is none the repository defines and none that every cluster has.
func noteUnknownRole(c *Context, p *Plan) {
	if c.Policy.Grant.Mode != RoleGrant || (rbac.RoleRef{Kind: "ClusterRole", Name: c.Policy.Grant.Role}).Builtin() {
		return
	}
	for _, unit := range c.Repo.Units {
		if len(unit.Find(objects.Query{Kind: "ClusterRole", Name: c.Policy.Grant.Role})) > 0 {
			return
		}
	}
	p.addNote("the ClusterRole %s of --grant is not in the repository: without it the binding grants nothing", c.Policy.Grant.Role)
}

func orNothing(grants []rbac.Grant) string {
	if len(grants) == 0 {
		return "nothing"
	}
	return grantNames(grants)
}

// checkBindingsRead refuses when bindings of the subject may stand in a file that was not read.
func checkBindingsRead(c *Context, s rbac.Subject) error {
	if c.Lookups.Unread == nil {
		return nil
	}
	words := []string{s.Name, "system:serviceaccounts"}
	if s.Kind == "User" {
		words = []string{s.Name, olm.Group}
	}
	place, why := c.Lookups.Unread(words)
	if place == "" {
		return nil
	}
	return refuse("%s was not taken into account (%s) and may bind %s, so what that holds is not known: mend that, "+
		"or say what to grant by --grant role=NAME", place, why, subjectName(s))
}

// checkUnitRead refuses a unit part of which is fetched from elsewhere or was not read: bindings may be there.
func checkUnitRead(c *Context, u *objects.Unit, s rbac.Subject) error {
	why := c.Repo.unreadPart(u)
	if why == "" {
		return nil
	}
	return refuse("%s, so what else %s holds is not known here: grant it by --grant role=NAME, or bind its roles by hand",
		why, subjectName(s))
}

// checkGained refuses a change of identity by which the extension would come by permissions that nobody meant for it.
// That every account is in the groups of accounts cannot be helped.
func checkGained(c *Context, u *objects.Unit, e *variant, new, old heldGrants) error {
	if c.Policy.Unsafe || c.Policy.Grant.Mode == GroupGrant {
		return nil
	}
	if new.subject.Kind == rbac.KindServiceAccount {
		new = new.directOnly()
	}
	extra := new.uncovered(u, e, old)
	if len(extra) == 0 {
		return nil
	}
	binding := new.bindingOf(extra[0])
	if new.subject.Kind == rbac.KindServiceAccount && len(old.list) == 0 {
		return refuse("nothing in %s is bound to %s or %s, so it is not known what the new account needs, to which %s at %s gives %s: "+
			"say which ClusterRole by --grant role=NAME", u, subjectName(old.subject), subjectName(groupSubject()),
			binding.Object.Kind, binding.Object.Position(nil), grantNames(extra))
	}
	return refuse("%s at %s would give the extension %s, which %s does not hold. "+
		"If that is meant, use --unsafe-fixes; else narrow the binding first",
		binding.Object.Kind, binding.Object.Position(nil), grantNames(extra), subjectName(old.subject))
}

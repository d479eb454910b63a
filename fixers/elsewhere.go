package fixers

import (
	"slices"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/rbac"
)

// binders are the units that bind accounts. Nothing says which units go to one cluster: those of several clusters often
// have accounts of one name, each its own.
type binders struct {
	all map[inventory.Account][]*inventory.Unit
	// strays bind an account that they neither have nor use: it is the one of another unit.
	strays map[inventory.Account][]*inventory.Unit
}

func (c *Context) binders() *binders {
	if c.bindersOf == nil {
		c.bindersOf = newBinders(c.Units)
	}
	return c.bindersOf
}

func newBinders(units []*inventory.Unit) *binders {
	b := &binders{all: map[inventory.Account][]*inventory.Unit{}, strays: map[inventory.Account][]*inventory.Unit{}}
	for _, unit := range units {
		isBound, isOwn := map[inventory.Account]bool{}, map[inventory.Account]bool{}
		for _, o := range unit.Objects {
			for _, r := range inventory.AccountReferences(o) {
				if r.What == inventory.Subject {
					isBound[r.Account] = true
				} else {
					isOwn[r.Account] = true
				}
			}
		}
		for account := range isBound {
			b.all[account] = append(b.all[account], unit)
			if !isOwn[account] {
				b.strays[account] = append(b.strays[account], unit)
			}
		}
	}
	return b
}

// checkElsewhere refuses when another unit binds the account to more than the extension's own does, and it may well be the
// same account: because that unit does not have it, or because the extension's own does not.
func (c *Context) checkElsewhere(e *extension, unit *inventory.Unit, old holdings) error {
	if old.subject.Kind != rbac.KindServiceAccount || len(old.grants) == 0 {
		return nil
	}
	account := inventory.Account{Namespace: old.subject.Namespace, Name: old.subject.Name}
	candidates := c.binders().all[account]
	if defines(unit, account) {
		candidates = c.binders().strays[account]
	}
	for _, other := range candidates {
		if other == unit || slices.Contains(e.units, other) || c.alsoApplies(other, e) || shareChart(unit, other) {
			continue
		}
		for _, b := range rbac.BindingsOf(other, nil, old.subject) {
			if b.Via == "" && b.Refused == "" && !old.has(rbac.Grant{Role: b.Role, Scope: b.Scope}) {
				return refuse("%s at %s, which %s applies, grants %s %s as well: if that goes to the same cluster, it would be lost. "+
					"Say what to grant by --grant role=NAME, bind the synthetic identity there by hand first, or apply both together",
					b.Object.Kind, b.Object.Position(nil), other, subjectName(old.subject), grantName(rbac.Grant{Role: b.Role, Scope: b.Scope}))
			}
		}
	}
	return nil
}

// alsoApplies tells whether a unit applies the extension, too, and is looked at by itself.
func (c *Context) alsoApplies(u *inventory.Unit, e *extension) bool {
	return slices.ContainsFunc(c.madeOf(e.object), func(m inUnit) bool { return m.unit == u })
}

// shareChart tells whether two units render one chart: with other values it is another release.
func shareChart(a, b *inventory.Unit) bool {
	return slices.ContainsFunc(a.Renderings, func(r inventory.Rendering) bool {
		return slices.ContainsFunc(b.Renderings, func(other inventory.Rendering) bool { return r.Chart == other.Chart })
	})
}

// defines tells whether a unit has the manifest of an account.
func defines(u *inventory.Unit, account inventory.Account) bool {
	return slices.ContainsFunc(u.References(account), func(r inventory.Reference) bool { return r.What == inventory.Definition })
}

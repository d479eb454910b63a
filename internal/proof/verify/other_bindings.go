package verify

import (
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// otherBindings finds the bindings of an account in units other than that of its extension. It is made once for all units.
type otherBindings struct {
	c       *engine.Context
	indexed sync.Once
	byName  map[string][]accountBinding
}

// accountBinding is an account in a subject of a unit.
type accountBinding struct {
	unit *objects.Unit
	// written and applied differ if the unit changes the name or namespace.
	written, applied objects.Account
}

// beside returns the units whose grants to an account are on every cluster of a unit.
func (b *otherBindings) beside(u *objects.Unit, who rbac.Subject) []*objects.Unit {
	if b == nil {
		return nil
	}
	i := slices.IndexFunc(b.c.Repo.Units, func(read *objects.Unit) bool { return read.Key() == u.Key() })
	if i < 0 {
		return nil
	}
	return b.c.Lookups.Beside(b.c.Repo.Units[i], who)
}

// resolved returns an effect with the rules of roles that other units of the cluster apply, instead of their names.
func (b *otherBindings) resolved(u *objects.Unit, e permission.Effect) permission.Effect {
	if b == nil || len(e.Roles) == 0 {
		return e
	}
	i := slices.IndexFunc(b.c.Repo.Units, func(read *objects.Unit) bool { return read.Key() == u.Key() })
	if i < 0 {
		return e
	}
	var known permission.Effect
	known.Include(permission.Effect{Rules: e.Rules})
	for g := range e.Roles {
		if rules, ok := b.c.Lookups.RulesBeside(b.c.Repo.Units[i], g.Role); ok {
			known.Add(g.Scope, rules)
		} else {
			known.AddRole(g)
		}
	}
	return known
}

// binding returns the accounts for which the unit applies bindings that are written for an account, and otherwise the other units
// that bind it, and the accounts for which they apply such bindings.
func (b *otherBindings) binding(u *objects.Unit, who rbac.Subject) (units, renamed []string) {
	if b == nil || who.Kind != rbac.KindServiceAccount {
		return nil, nil
	}
	b.indexed.Do(b.index)
	account := objects.Account{Namespace: who.Namespace, Name: who.Name}
	var here []string
	for _, found := range b.byName[account.Name] {
		switch {
		case !found.written.Matches(account) && !found.applied.Matches(account):
		case !found.applied.Matches(account):
			name := engine.SubjectName(rbac.Account(found.applied))
			renamed = append(renamed, name)
			if found.unit.Key() == u.Key() {
				here = append(here, name)
			}
		case found.unit.Key() != u.Key():
			units = append(units, found.unit.String())
		}
	}
	if len(here) > 0 {
		return nil, sorted(here)
	}
	return sorted(units), sorted(renamed)
}

func sorted(names []string) []string {
	slices.SortFunc(names, strings.Compare)
	return slices.Compact(names)
}

func (b *otherBindings) index() {
	b.byName = map[string][]accountBinding{}
	for _, unit := range objects.NotReplaced(b.c.Repo.Units) {
		for _, o := range unit.Objects {
			b.add(unit, o)
		}
	}
}

// add adds the subjects of a binding. If a unit changes their number, it is unknown which of them is which.
func (b *otherBindings) add(unit *objects.Unit, o *objects.Object) {
	applied := subjectAccounts(o)
	written := applied
	if source := o.Source(); source != nil {
		if as := subjectAccounts(source); len(as) == len(applied) {
			written = as
		}
	}
	for i, account := range applied {
		found := accountBinding{unit, written[i], account}
		b.byName[account.Name] = append(b.byName[account.Name], found)
		if name := written[i].Name; name != account.Name {
			b.byName[name] = append(b.byName[name], found)
		}
	}
}

// subjectAccounts returns the accounts that an object binds.
func subjectAccounts(o *objects.Object) []objects.Account {
	if o.Group != rbac.Group || !strings.HasSuffix(o.Kind, "RoleBinding") {
		return nil
	}
	var bound []objects.Account
	for _, r := range o.References() {
		if r.What == objects.Subject {
			bound = append(bound, r.Account)
		}
	}
	return bound
}

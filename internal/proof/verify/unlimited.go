package verify

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// noteUnlimited records that a fix removes the account of an extension whose target ignores it, with the number of rules that
// limited the extension as long as the account counted.
func (e *examiner) noteUnlimited(p objectKey, before, after *objects.Object) {
	from, _ := olm.ReadExtension(before.Node)
	to, _ := olm.ReadExtension(after.Node)
	if !isNamed(from.Account) || isNamed(to.Account) {
		return
	}
	entry := limitOf(e.others, e.before, before)
	entry.Name, entry.File, entry.Context = p.id.Name, p.file, e.context(p)
	entry.OwnRestricted = e.own.near(e.before, e.target(before)).Restricted()
	for _, plan := range e.plans {
		if e.touches(plan, p.file, p.id) {
			entry.Why = append(entry.Why, plan.Description)
		}
	}
	slices.Sort(entry.Why)
	entry.Why = slices.Compact(entry.Why)
	e.permissions.Unlimited = append(e.permissions.Unlimited, entry)
}

// Limits finds what limits extensions as long as their identities count.
type Limits struct {
	others *otherBindings
	own    *ownAccounts
}

// NewLimits returns the limits in the units of a context.
func NewLimits(c *engine.Context) *Limits {
	return &Limits{&otherBindings{c: c}, &ownAccounts{units: c.Repo.Units}}
}

// Of returns what no longer limits an extension of a unit once its target is one that ignores its identity. Without an account that is its
// synthetic one.
func (l *Limits) Of(u *objects.Unit, o *objects.Object, ignoring olm.Target) permission.Unlimited {
	entry := limitOf(l.others, u, o)
	entry.Name, entry.File = o.Name, o.File
	entry.OwnRestricted = l.own.near(u, ignoring).Restricted()
	return entry
}

// limitOf returns what is granted to the identity of an extension by its unit, and by others that are on every cluster of it.
func limitOf(others *otherBindings, u *objects.Unit, o *objects.Object) permission.Unlimited {
	extension, _ := olm.ReadExtension(o.Node)
	who := rbac.Subject{Kind: rbac.KindUser, Name: olm.User(extension.Name)}
	if isNamed(extension.Account) && extension.Account.Name != olm.Placeholder {
		who = rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: extension.Namespace, Name: extension.Account.Name}
	}
	own, _ := splitShared(rbac.BindingsOf(u, o, who))
	granted := effectOf(u, own)
	for _, beside := range others.beside(u, who) {
		carried, _ := splitShared(rbac.BindingsOf(beside, nil, who))
		granted = granted.join(effectOf(beside, carried))
	}
	entry := permission.Unlimited{
		Account: normal(who), Roles: len(granted.all.Roles), Doubtful: granted.doubtful, Admin: rbac.IsClusterAdmin(granted.certain.Rules[""]),
		Granted: permission.Scopes(granted.all, permission.Effect{}),
	}
	for _, rules := range granted.all.Rules {
		entry.Rules += len(rules)
	}
	if entry.Rules+entry.Roles == 0 {
		entry.Elsewhere, entry.Renamed = others.binding(u, who)
	}
	return entry
}

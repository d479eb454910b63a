package verify

import (
	"slices"

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
	who := rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: from.Namespace, Name: from.Account.Name}
	if from.Account.Name == olm.Placeholder {
		who = rbac.Subject{Kind: rbac.KindUser, Name: olm.User(from.Name)}
	}
	own, _ := splitShared(rbac.BindingsOf(e.before, before, who))
	granted := effectOf(e.before, own)
	for _, beside := range e.others.beside(e.before, who) {
		carried, _ := splitShared(rbac.BindingsOf(beside, nil, who))
		granted = granted.join(effectOf(beside, carried))
	}
	entry := permission.Unlimited{
		Name: p.id.Name, File: p.file, Account: normal(who), Roles: len(granted.all.Roles), Doubtful: granted.doubtful,
		Admin:         rbac.IsClusterAdmin(granted.certain.Rules[""]),
		OwnRestricted: e.own.near(e.before, e.target(before)).Restricted(),
		Context:       e.context(p),
	}
	for _, rules := range granted.all.Rules {
		entry.Rules += len(rules)
	}
	if entry.Rules+entry.Roles == 0 {
		entry.Elsewhere, entry.Renamed = e.others.binding(e.before, who)
	}
	for _, plan := range e.plans {
		if e.touches(plan, p.file, p.id) {
			entry.Why = append(entry.Why, plan.Description)
		}
	}
	slices.Sort(entry.Why)
	entry.Why = slices.Compact(entry.Why)
	e.permissions.Unlimited = append(e.permissions.Unlimited, entry)
}

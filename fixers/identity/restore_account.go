package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// restoreAccount hands an extension back to the account that it had before the field was removed. It does so where that is certain: the
// account is in every unit that applies the extension, is bound there, and is nobody else's; and nothing was granted to the
// synthetic identity, so that OLM acted as its own account, if at all. Nobody is granted anything then, and the extension is
// limited again to what the account holds, which is what the target is about. ok is false where there is no such account.
func restoreAccount(c *engine.Context, e *Variant, account rbac.Subject) (h IdentityMigration, ok bool, err error) {
	if c.Policy.Grant.Chosen() || unitWithModel(c, e, olm.Synthetic) != nil {
		return h, false, nil
	}
	there, err := e.countAccounts(account)
	if err != nil || there < len(e.Units) {
		return h, false, err
	}
	h = IdentityMigration{From: e.UserSubject(), To: account}
	for _, unit := range UnitsUsingIdentity(c, e) {
		held := GrantsOf(unit, e, account)
		if len(held.CertainOnly().directOnly().list) == 0 || len(GrantsOf(unit, e, e.UserSubject()).list) > 0 {
			return h, false, nil
		}
		h.gained = union(h.gained, held.list)
		before := resolveSignals(unit, e.objectIn(unit))
		if before.Known && before.Target.Model == olm.Synthetic {
			return h, false, nil // the extension may do nothing there, and would come by all of this
		}
		if before.Known {
			continue
		}
		if err := checkUnitRead(c, unit, e.UserSubject()); err != nil {
			return h, false, err
		}
		if err := checkBindingsRead(c, e.UserSubject()); err != nil {
			return h, false, err
		}
		if err := checkLost(unit, e, grantsOfOtherUnits(c, e, unit, e.UserSubject()), grantsOfOtherUnits(c, e, unit, account), held); err != nil {
			return h, false, err
		}
	}
	h.notes = otherUnitNotes(c, e, h)
	return h, true, checkAccountUnshared(c, e, account)
}

// checkAccountUnshared refuses to take an account for that of the extension which somebody else uses.
func checkAccountUnshared(c *engine.Context, e *Variant, account rbac.Subject) error {
	found, used, err := otherUserOf(c, e, account)
	if !used || err != nil {
		return err
	}
	return engine.Refuse("%s at %s uses %s, so it may not be the account of the extension: if it is, name it by hand",
		engine.NameOf(found.object), found.object.Position(found.path), engine.SubjectName(account))
}

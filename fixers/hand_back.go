package fixers

import (
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// restoreAccount hands an extension back to the account that it had before the field was removed. It does so where that is certain: the
// account is in every unit that applies the extension, is bound there, and is nobody else's; and nothing was granted to the
// synthetic identity, so that OLM acted as its own account, if at all. Nobody is granted anything then, and the extension is
// limited again to what the account holds, which is what the target is about. ok is false where there is no such account.
func (c *Context) restoreAccount(e *variant, account rbac.Subject) (h identityMigration, ok bool, err error) {
	if c.Grant.chosen() || c.unitWithModel(e, olm.Synthetic) != nil {
		return h, false, nil
	}
	there, err := e.countAccounts(account)
	if err != nil || there < len(e.units) {
		return h, false, err
	}
	h = identityMigration{from: e.user(), to: account}
	for _, unit := range c.unitsUsingIdentity(e) {
		held := grantsOf(unit, e, account)
		if len(held.certainOnly().directOnly().list) == 0 || len(grantsOf(unit, e, e.user()).list) > 0 {
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
		if err := c.checkUnitRead(unit, e.user()); err != nil {
			return h, false, err
		}
		if err := c.checkBindingsRead(e.user()); err != nil {
			return h, false, err
		}
		if err := checkLost(unit, e, c.grantsOfOtherUnits(e, unit, e.user()), c.grantsOfOtherUnits(e, unit, account), held); err != nil {
			return h, false, err
		}
	}
	h.notes = c.otherUnitNotes(e, h)
	return h, true, c.checkAccountUnshared(e, account)
}

// checkAccountUnshared refuses to take an account for that of the extension which somebody else uses.
func (c *Context) checkAccountUnshared(e *variant, account rbac.Subject) error {
	found, used, err := c.otherUserOf(e, account)
	if !used || err != nil {
		return err
	}
	return refuse("%s at %s uses %s, so it is not certain that it is there for the extension: if it is, name it by hand",
		identityOf(found.object), found.object.Position(found.path), subjectName(account))
}

package fixers

import (
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// restoreAccount hands an extension back to the account that it had before the field was removed. It does so where that is certain: the
// account is in every unit that applies the extension, is bound there, and is nobody else's; and nothing was granted to the
// synthetic identity, so that OLM acted as its own account, if at all. Nobody is granted anything then, and the extension is
// limited again to what the account holds, which is what the target is about. ok is false where there is no such account.
func restoreAccount(c *Context, e *variant, account rbac.Subject) (h identityMigration, ok bool, err error) {
	if c.Policy.Grant.chosen() || unitWithModel(c, e, olm.Synthetic) != nil {
		return h, false, nil
	}
	there, err := e.countAccounts(account)
	if err != nil || there < len(e.units) {
		return h, false, err
	}
	h = identityMigration{from: e.userSubject(), to: account}
	for _, unit := range unitsUsingIdentity(c, e) {
		held := grantsOf(unit, e, account)
		if len(held.certainOnly().directOnly().list) == 0 || len(grantsOf(unit, e, e.userSubject()).list) > 0 {
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
		if err := checkUnitRead(c, unit, e.userSubject()); err != nil {
			return h, false, err
		}
		if err := checkBindingsRead(c, e.userSubject()); err != nil {
			return h, false, err
		}
		if err := checkLost(unit, e, grantsOfOtherUnits(c, e, unit, e.userSubject()), grantsOfOtherUnits(c, e, unit, account), held); err != nil {
			return h, false, err
		}
	}
	h.notes = otherUnitNotes(c, e, h)
	return h, true, checkAccountUnshared(c, e, account)
}

// checkAccountUnshared refuses to take an account for that of the extension which somebody else uses.
func checkAccountUnshared(c *Context, e *variant, account rbac.Subject) error {
	found, used, err := otherUserOf(c, e, account)
	if !used || err != nil {
		return err
	}
	return refuse("%s at %s uses %s, so it is not certain that it is there for the extension: if it is, name it by hand",
		identityOf(found.object), found.object.Position(found.path), subjectName(account))
}

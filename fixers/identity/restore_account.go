package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// restoreAccount migrates an extension back to the account that it had before the field was removed. ok is false if there is
// no such account for certain. The account must exist and be bound in every unit that applies the extension, and have no
// other user. The synthetic identity must have no grants, so that OLM acted as its own account. Then nothing is granted, and
// the extension is restricted to the grants of the account, as the target requires.
func restoreAccount(c *engine.Context, e *Variant, account rbac.Subject) (h Migration, ok bool, err error) {
	if c.Policy.Grant.Chosen() || unitWithModel(c, e, olm.Synthetic) != nil {
		return h, false, nil
	}
	there, err := e.countAccounts(account)
	if err != nil || there < len(e.Units) {
		return h, false, err
	}
	h = Migration{From: e.UserSubject(), To: account}
	for _, unit := range UnitsUsingIdentity(c, e) {
		held := GrantsOf(unit, e, account)
		if len(held.CertainOnly().directOnly().list) == 0 || len(GrantsOf(unit, e, e.UserSubject()).list) > 0 {
			return h, false, nil
		}
		h.gained = union(h.gained, held.list)
		before := resolveSignals(unit, e.objectIn(unit))
		if before.Known && before.Target.Model == olm.Synthetic {
			return h, false, nil // the extension has no permissions there, and would gain all of these
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

// checkAccountUnshared refuses an account that has other users.
func checkAccountUnshared(c *engine.Context, e *Variant, account rbac.Subject) error {
	found, used, err := otherUserOf(c, e, account)
	if !used || err != nil {
		return err
	}
	return engine.Refuse("%s at %s uses %s, so it may not be the account of the extension: if it is, name it by hand",
		engine.NameOf(found.object), found.object.Position(found.path), engine.SubjectName(account))
}

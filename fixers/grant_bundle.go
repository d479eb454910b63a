package fixers

import (
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// grantBundle grants the identity of an extension what its bundle needs and it does not hold. Nobody held that, so it is
// unsafe.
func grantBundle(c *Context, r Request) (*Plan, error) {
	return c.eachScope(r, c.planBundle)
}

// planBundle is grantBundle for the units of an extension that are alike.
func (c *Context) planBundle(e *extension) (*Plan, error) {
	if err := e.checkName(); err != nil {
		return nil, err
	}
	if err := c.checkOnly(e); err != nil {
		return nil, err
	}
	subject, err := c.acting(e)
	if err != nil {
		return nil, err
	}
	if err := c.checkStays(e); err != nil {
		return nil, err
	}
	needs, err := c.needs(e, subject)
	if err != nil {
		return nil, err
	}
	h := handover{from: subject, to: subject, notes: pinNote(e, needs)}
	h.roles, h.missing = c.rolesFor(e, needs.Missing, subject)
	if len(h.missing) == 0 {
		return nil, refuse("%s already holds what the bundle needs", subjectName(subject))
	}
	if err := c.checkAlone(e, subject, h.missing); err != nil {
		return nil, err
	}
	p := &Plan{Description: "Grant " + subjectName(subject) + " " + scopesText(h.roles), Notes: h.notes}
	p.gain(e, subject, h.missing...)
	return p, c.emit(p, e, c.bindings(e, h, subject), rbacFile(subject))
}

// checkStays refuses to grant anything to an account that another fix takes away.
func (c *Context) checkStays(e *extension) error {
	if e.Account.State != olm.Named || e.Account.Name == olm.Placeholder || c.model(e) != olm.Synthetic {
		return nil
	}
	return refuse("%s is only needed until %s is removed, for which there is a fix: --fix --grant least-privilege grants %s what the bundle needs",
		subjectName(e.account()), e.Account.Path, subjectName(e.user()))
}

// rbacFile is where what an identity is granted goes.
func rbacFile(s rbac.Subject) string {
	if s.Kind == rbac.KindServiceAccount {
		return accountFile
	}
	return syntheticFile
}

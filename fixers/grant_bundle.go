package fixers

import (
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// grantBundle grants the identity of an extension what its bundle needs and it does not hold. Nobody held that, so it is
// unsafe.
func grantBundle(c *Context, r Request) (*Plan, error) {
	return planVariants(c, r, planBundle)
}

// planBundle is grantBundle for the units of an extension that are alike.
func planBundle(c *Context, e *variant) (*Plan, error) {
	if err := e.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, e); err != nil {
		return nil, err
	}
	subject, err := actingIdentity(c, e)
	if err != nil {
		return nil, err
	}
	if err := checkStays(c, e); err != nil {
		return nil, err
	}
	needs, err := bundleNeeds(c, e, subject)
	if err != nil {
		return nil, err
	}
	h := identityMigration{from: subject, to: subject, notes: unpinnedNote(e, needs)}
	h.roles, h.missing = rolesFor(c, e, needs.Missing, subject)
	if len(h.missing) == 0 {
		return nil, refuse("%s already holds what the bundle needs", subjectName(subject))
	}
	if err := checkNoOtherGains(c, e, subject, h.missing); err != nil {
		return nil, err
	}
	p := &Plan{Description: "Grant " + subjectName(subject) + " " + rolesText(h.roles), Notes: h.notes}
	declareGains(p, e, subject, h.missing...)
	return p, addGenerated(c, p, e, rolesAndBindings(c, e, h, subject), rbacFile(subject))
}

// checkStays refuses to grant anything to an account that another fix takes away.
func checkStays(c *Context, e *variant) error {
	if e.Account.State != olm.Named || e.Account.Name == olm.Placeholder || strictestModel(c, e) != olm.Synthetic {
		return nil
	}
	return refuse("%s is only needed until %s is removed, for which there is a fix: --fix --grant least-privilege grants %s what the bundle needs",
		subjectName(e.accountSubject()), e.Account.Path, subjectName(e.userSubject()))
}

// rbacFile is where what an identity is granted goes.
func rbacFile(s rbac.Subject) string {
	if s.Kind == rbac.KindServiceAccount {
		return accountFile
	}
	return syntheticFile
}

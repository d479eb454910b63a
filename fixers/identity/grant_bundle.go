package identity

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// GrantBundle grants the identity of an extension what its bundle needs and it does not have. The fix is unsafe, because
// these grants are new.
func GrantBundle(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return planVariants(c, r, planBundle)
}

// planBundle is GrantBundle for the units that apply an extension alike.
func planBundle(c *engine.Context, e *Variant) (*engine.Plan, error) {
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
	h := Migration{From: subject, To: subject, notes: unpinnedNote(e, needs)}
	h.roles, h.Missing = rolesFor(c, e, needs.Missing, subject)
	if len(h.Missing) == 0 {
		return nil, engine.Refuse("%s already holds what the bundle needs", engine.SubjectName(subject))
	}
	if err := checkNoOtherGains(c, e, subject, h.Missing); err != nil {
		return nil, err
	}
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(subject) + " " + rolesText(h.roles), Notes: h.notes}
	DeclareGains(p, e, subject, h.Missing...)
	return p, addGenerated(c, p, e, rolesAndBindings(c, e, h, subject), rbacFile(subject))
}

// checkStays refuses to grant anything to an account that another fix removes.
func checkStays(c *engine.Context, e *Variant) error {
	if e.Account.State != olm.Named || e.Account.Name == olm.Placeholder || strictestModel(c, e) != olm.Synthetic {
		return nil
	}
	return engine.Refuse("%s is needed only until %s is removed, which a fix can do: --fix --grant least-privilege grants %s "+
		"what the bundle needs",
		engine.SubjectName(e.AccountSubject()), e.Account.Path, engine.SubjectName(e.UserSubject()))
}

// rbacFile returns the ending of the file for the grants of an identity.
func rbacFile(s rbac.Subject) string {
	if s.Kind == rbac.KindServiceAccount {
		return accountFile
	}
	return SyntheticFile
}

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
func planBundle(c *engine.Context, v *Variant) (*engine.Plan, error) {
	if err := v.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, v); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, v.Object); err != nil {
		return nil, err
	}
	subject, err := actingIdentity(c, v)
	if err != nil {
		return nil, err
	}
	if err := checkStays(c, v); err != nil {
		return nil, err
	}
	needs, err := bundleNeeds(c, v, subject)
	if err != nil {
		return nil, err
	}
	h := Migration{From: subject, To: subject, notes: unpinnedNote(v, needs)}
	h.roles, h.Missing = rolesFor(c, v, needs.Missing, subject)
	if len(h.Missing) == 0 {
		return nil, engine.Refuse("%s already holds what the bundle needs", engine.SubjectName(subject))
	}
	if err := checkNoOtherGains(c, v, subject, h.Missing); err != nil {
		return nil, err
	}
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(subject) + " " + rolesText(h.roles), Notes: h.notes}
	DeclareGains(p, v, subject, h.Missing...)
	return p, addGenerated(c, p, v, rolesAndBindings(c, v, h, subject), rbacFile(subject))
}

// checkStays refuses to grant anything to an account that another fix removes.
func checkStays(c *engine.Context, v *Variant) error {
	if v.Account.State != olm.Named || v.Account.Name == olm.Placeholder || strictestModel(c, v) != olm.Synthetic {
		return nil
	}
	return engine.Refuse("%s is needed only until %s is removed, which a fix can do: --fix --grant least-privilege grants %s "+
		"what the bundle needs",
		engine.SubjectName(v.AccountSubject()), v.Account.Path, engine.SubjectName(v.UserSubject()))
}

// rbacFile returns the ending of the file for the grants of an identity.
func rbacFile(s rbac.Subject) string {
	if s.Kind == rbac.KindServiceAccount {
		return accountFile
	}
	return SyntheticFile
}

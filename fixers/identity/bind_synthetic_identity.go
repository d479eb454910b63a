package identity

import (
	"github.com/salint/salint/fixers/engine"
)
import "github.com/salint/salint/internal/kube/olm"

// BindSyntheticIdentity grants the synthetic identity of an extension the role that the user names, or what its bundle needs.
// The repository does not show what an extension without an account needs.
func BindSyntheticIdentity(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return planVariants(c, r, planSyntheticBinding)
}

// planSyntheticBinding is BindSyntheticIdentity for the units that apply an extension alike.
func planSyntheticBinding(c *engine.Context, v *Variant) (*engine.Plan, error) {
	if err := v.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, v); err != nil {
		return nil, err
	}
	if strictestModel(c, v) != olm.Synthetic {
		return nil, engine.Refuse("%s has no target with synthetic identities", v.Units[0])
	}
	if err := CheckSyntheticGate(c, v); err != nil {
		return nil, err
	}
	if err := CheckAccountSetters(c, v.Object); err != nil {
		return nil, err
	}
	if !c.Policy.Grant.Chosen() {
		return nil, engine.Refuse("the permissions that %s needs are unknown: name a ClusterRole with --grant role=NAME, "+
			"name its bundle with --bundle %s=DIR and --grant least-privilege, or bind its roles by hand", engine.SubjectName(v.UserSubject()), v.Name)
	}
	h, err := migrateIdentity(c, v, v.UserSubject(), v.UserSubject())
	if err != nil {
		return nil, err
	}
	if len(h.Missing) == 0 {
		return nil, engine.Refuse("%s already holds %s", engine.SubjectName(v.UserSubject()), c.Policy.Grant.Describe())
	}
	p := &engine.Plan{Description: "Grant " + engine.SubjectName(v.UserSubject()) + " " + engine.GrantNames(h.Missing), Notes: h.notes}
	if len(h.roles) > 0 {
		p.Description = "Grant " + engine.SubjectName(v.UserSubject()) + " " + rolesText(h.roles)
	}
	DeclareGains(p, v, v.UserSubject(), h.Missing...)
	NoteUnknownRole(c, p)
	return p, addGenerated(c, p, v, rolesAndBindings(c, v, h, v.UserSubject()), SyntheticFile)
}

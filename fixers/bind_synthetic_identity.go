package fixers

import "github.com/salint/salint/internal/kube/olm"

// bindSyntheticIdentity grants the synthetic identity of an extension the role that the user names, or what its bundle
// needs. Nothing else tells what an extension without an account may do.
func bindSyntheticIdentity(c *Context, r Request) (*Plan, error) {
	return planVariants(c, r, planSyntheticBinding)
}

// planSyntheticBinding is bindSyntheticIdentity for the units of an extension that are alike.
func planSyntheticBinding(c *Context, e *variant) (*Plan, error) {
	if err := e.checkNameKnown(); err != nil {
		return nil, err
	}
	if err := checkUniqueInFolder(c, e); err != nil {
		return nil, err
	}
	if strictestModel(c, e) != olm.Synthetic {
		return nil, refuse("%s follows no target under which synthetic identities count", e.units[0])
	}
	if err := checkSyntheticGate(c, e); err != nil {
		return nil, err
	}
	if !c.Policy.Grant.chosen() {
		return nil, refuse("it is not known what %s needs: name a ClusterRole by --grant role=NAME, its bundle by --bundle %s=DIR "+
			"with --grant least-privilege, or bind its roles by hand", subjectName(e.userSubject()), e.Name)
	}
	h, err := migrateIdentity(c, e, e.userSubject(), e.userSubject())
	if err != nil {
		return nil, err
	}
	if len(h.missing) == 0 {
		return nil, refuse("%s already holds %s", subjectName(e.userSubject()), c.Policy.Grant.describe())
	}
	p := &Plan{Description: "Grant " + subjectName(e.userSubject()) + " " + grantNames(h.missing), Notes: h.notes}
	if len(h.roles) > 0 {
		p.Description = "Grant " + subjectName(e.userSubject()) + " " + rolesText(h.roles)
	}
	declareGains(p, e, e.userSubject(), h.missing...)
	noteUnknownRole(c, p)
	return p, addGenerated(c, p, e, rolesAndBindings(c, e, h, e.userSubject()), syntheticFile)
}

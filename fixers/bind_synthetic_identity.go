package fixers

import (
	"github.com/salint/salint/internal/kube/olm"
)

// bindSyntheticIdentity grants the synthetic identity of an extension the role that the user names, or what its bundle
// needs. Nothing else tells what an extension without an account may do.
func bindSyntheticIdentity(c *Context, r Request) (*Plan, error) {
	return c.eachScope(r, c.planBinding)
}

// planBinding is bindSyntheticIdentity for the units of an extension that are alike.
func (c *Context) planBinding(e *extension) (*Plan, error) {
	if err := e.checkName(); err != nil {
		return nil, err
	}
	if err := c.checkOnly(e); err != nil {
		return nil, err
	}
	if c.model(e) != olm.Synthetic {
		return nil, refuse("%s follows no target under which synthetic identities count", e.units[0])
	}
	if err := c.checkGate(e); err != nil {
		return nil, err
	}
	if !c.Grant.chosen() {
		return nil, refuse("it is not known what %s needs: name a ClusterRole by --grant role=NAME, its bundle by --bundle %s=DIR "+
			"with --grant least-privilege, or bind its roles by hand", subjectName(e.user()), e.Name)
	}
	h, err := c.handOver(e, e.user(), e.user())
	if err != nil {
		return nil, err
	}
	if len(h.missing) == 0 {
		return nil, refuse("%s already holds %s", subjectName(e.user()), c.Grant.what())
	}
	p := &Plan{Description: "Grant " + subjectName(e.user()) + " " + grantNames(h.missing), Notes: h.notes}
	if len(h.roles) > 0 {
		p.Description = "Grant " + subjectName(e.user()) + " " + scopesText(h.roles)
	}
	p.gain(e, e.user(), h.missing...)
	c.checkRole(p)
	return p, c.emit(p, e, c.bindings(e, h, e.user()), syntheticFile)
}

// what is what the user asked to be granted.
func (g Grant) what() string {
	if g.Mode == RoleGrant {
		return "ClusterRole " + g.Role
	}
	return "what the bundle needs"
}

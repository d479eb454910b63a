package fixers

import (
	"github.com/salint/salint/internal/olm"
)

// bindSyntheticIdentity grants the synthetic identity of an extension the role that the user names. Nothing in the
// repository tells what an extension without an account may do, so there is no other way to know.
func bindSyntheticIdentity(c *Context, r Request) (*Plan, error) {
	e, err := c.extension(r.Object)
	if err != nil {
		return nil, err
	}
	if err := e.checkName(); err != nil {
		return nil, err
	}
	if err := c.checkOnly(e); err != nil {
		return nil, err
	}
	if c.model(e) != olm.Synthetic {
		return nil, refuse("%s follows no target under which synthetic identities count", unitName(e.units[0]))
	}
	if err := c.checkGate(e); err != nil {
		return nil, err
	}
	if c.Grant.Mode != RoleGrant {
		return nil, refuse("it is not known what %s needs: name a ClusterRole by --grant role=NAME, "+
			"or bind its roles by hand", subjectName(e.user()))
	}
	h := c.handOverRole(e, e.user(), e.user())
	if len(h.missing) == 0 {
		return nil, refuse("%s already holds ClusterRole %s", subjectName(e.user()), c.Grant.Role)
	}
	p := &Plan{Object: r.Object, Description: "Grant " + subjectName(e.user()) + " " + grantNames(h.missing)}
	for _, g := range h.missing {
		p.Gains = append(p.Gains, GrantChange{Subject: e.user(), Grant: g})
	}
	c.checkRole(p)
	return p, c.emit(p, e, c.bind(e, h.missing, e.user()), syntheticFile)
}

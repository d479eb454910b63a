package fixers

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// bindInTemplate grants the synthetic identities of extensions that come of one place in a chart the role that the user
// names, by a template beside theirs.
func bindInTemplate(c *Context, r Request) (*Plan, error) {
	return c.templates.bound.get(r.Object, c.namedAlike, c.templateBinding)
}

// namedAlike finds the extensions of all units whose names the same lines of a chart write. It is not nil with an error either.
func (c *Context) namedAlike(o *objects.Object) (*group, error) {
	g := &group{of: map[*objects.Object]*member{}}
	first, err := g.begin(c, o)
	if err != nil {
		return g, err
	}
	name, err := c.wording(first.unit, o, manifest.Path{"metadata", "name"})
	if err != nil {
		return g, err
	}
	kind := olmGroup
	for _, unit := range c.Units {
		if !unit.Reads(name.scalar.Source.File) {
			continue
		}
		if unit.NotBuilt {
			return g, refuseUnrendered(unit, name.scalar.Source.File, bindByHand)
		}
		for _, other := range unit.Find(objects.Query{Group: &kind, Kind: olm.ClusterExtensionKind}) {
			if err := g.joinAlike(c, unit, other, name); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// joinAlike makes an extension a member whose name is written where another one's is.
func (g *group) joinAlike(c *Context, u *objects.Unit, o *objects.Object, name wording) error {
	if o.InFile() {
		return nil
	}
	written, err := c.wording(u, o, manifest.Path{"metadata", "name"})
	if err != nil || written.key != name.key {
		return nil // it comes from elsewhere
	}
	m, err := g.join(c, u, o)
	if err == nil && m.Account.State != olm.Absent {
		first := g.members[0]
		if first.unit == u {
			return refuse("%s in %s has an account, and the same template writes %s, which has none: %s",
				identityOf(o), withValues(u), identityOf(first.object), bindByHand)
		}
		return refuse("%s has an account in %s and none in %s, and one template writes both: %s",
			identityOf(o), withValues(u), withValues(first.unit), bindByHand)
	}
	return err
}

// withValues is how messages call a unit that others of the same chart are told apart from.
func withValues(u *objects.Unit) string {
	if u.Kind == objects.ChartUnit && u.Name == u.Root {
		return u.String() + " with its own values"
	}
	return u.String()
}

// templateBinding makes the plan for them.
func (c *Context) templateBinding(g *group) (*Plan, error) {
	first := g.members[0]
	switch {
	case g.model(c) != olm.Synthetic:
		return nil, refuse("%s follows no target under which synthetic identities count, or another set of values requires accounts",
			first.unit)
	case c.Grant.Mode != RoleGrant:
		return nil, refuse("it is not known what %s needs: name a ClusterRole by --grant role=NAME, "+
			"or write the binding into the chart by hand", subjectName(first.user()))
	}
	p := &Plan{Object: first.object, Description: "Grant ClusterRole " + c.Grant.Role + " to the identities of all extensions that the template writes"}
	var scopes []*nameScope
	for _, m := range g.members {
		if err := c.checkGate(m.extension); err != nil {
			return nil, err
		}
		h := c.handOverRole(m.extension, m.user(), m.user())
		s, err := c.scopeFor(&scopes, m)
		if err != nil {
			return nil, err
		}
		if len(c.honouring(m.extension)) == 0 {
			h.missing = c.roleGrants()
		}
		if err := s.agree(c, m, h); err != nil {
			return nil, err
		}
		p.gain(m.extension, m.user(), h.missing...)
	}
	if len(p.Gains) == 0 {
		return nil, refuse("%s already holds %s", subjectName(first.user()), c.Grant.what())
	}
	if len(g.members) == 1 {
		p.Description = "Grant " + subjectName(first.user()) + " ClusterRole " + c.Grant.Role
	}
	c.checkRole(p)
	return p, c.writeTemplates(p, scopes)
}

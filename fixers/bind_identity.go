package fixers

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// bindInTemplate grants the synthetic identities of extensions that come of one place in a chart the role that the user
// names, by a template beside theirs.
func bindInTemplate(c *Context, r Request) (*Plan, error) {
	return stateOf(c).bound.get(c, r.Object, extensionsNamedWith, templateBinding)
}

// extensionsNamedWith finds the extensions of all units whose names the same lines of a chart write. It is not nil with an error either.
func extensionsNamedWith(c *Context, o *objects.Object) (*reachedExtensions, error) {
	g := &reachedExtensions{of: map[*objects.Object]*renderedExtension{}}
	first, err := g.addFirst(c, o)
	if err != nil {
		return g, err
	}
	name, err := valueOf(c, first.unit, o, manifest.Path{"metadata", "name"})
	if err != nil {
		return g, err
	}
	kind := extensionGroup
	for _, unit := range c.Repo.Units {
		if !unit.Reads(name.scalar.Source.File) {
			continue
		}
		if unit.NotBuilt {
			return g, refuseUnrendered(unit, name.scalar.Source.File, bindByHand)
		}
		for _, other := range unit.Find(objects.Query{Group: &kind, Kind: olm.ClusterExtensionKind}) {
			if err := g.addIfNamedAlike(c, unit, other, name); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// addIfNamedAlike makes an extension a member whose name is written where another one's is.
func (g *reachedExtensions) addIfNamedAlike(c *Context, u *objects.Unit, o *objects.Object, name templateValue) error {
	if o.InFile() {
		return nil
	}
	written, err := valueOf(c, u, o, manifest.Path{"metadata", "name"})
	if err != nil || written.key != name.key {
		return nil // it comes from elsewhere
	}
	m, err := g.addExtension(c, u, o)
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
func templateBinding(c *Context, g *reachedExtensions) (*Plan, error) {
	first := g.members[0]
	switch {
	case g.strictestModel(c) != olm.Synthetic:
		return nil, refuse("%s follows no target under which synthetic identities count, or another set of values requires accounts",
			first.unit)
	case c.Policy.Grant.Mode != RoleGrant:
		return nil, refuse("it is not known what %s needs: name a ClusterRole by --grant role=NAME, "+
			"or write the binding into the chart by hand", subjectName(first.userSubject()))
	}
	p := &Plan{Object: first.object, Description: "Grant ClusterRole " + c.Policy.Grant.Role + " to the identities of all extensions that the template writes"}
	var scopes []*bindingTemplate
	for _, m := range g.members {
		if err := checkSyntheticGate(c, m.variant); err != nil {
			return nil, err
		}
		h := migrateToRole(c, m.variant, m.userSubject(), m.userSubject())
		s, err := bindingTemplateFor(c, &scopes, m)
		if err != nil {
			return nil, err
		}
		if len(unitsUsingIdentity(c, m.variant)) == 0 {
			h.missing = roleGrants(c)
		}
		if err := s.addMember(c, m, h); err != nil {
			return nil, err
		}
		declareGains(p, m.variant, m.userSubject(), h.missing...)
	}
	if len(p.Gains) == 0 {
		return nil, refuse("%s already holds %s", subjectName(first.userSubject()), c.Policy.Grant.describe())
	}
	if len(g.members) == 1 {
		p.Description = "Grant " + subjectName(first.userSubject()) + " ClusterRole " + c.Policy.Grant.Role
	}
	noteUnknownRole(c, p)
	return p, writeTemplates(c, p, scopes)
}

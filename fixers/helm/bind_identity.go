package helm

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// BindSyntheticIdentity grants the role that the user names to the synthetic identities of all extensions that one place in a
// chart renders, with a template beside theirs.
func BindSyntheticIdentity(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return stateOf(c).bound.get(c, r.Object, extensionsNamedWith, templateBinding)
}

// extensionsNamedWith finds the extensions of all units whose names are written by the lines of a chart that write the name
// of one. With an error, it returns what was found so far.
func extensionsNamedWith(c *engine.Context, o *objects.Object) (*reachedExtensions, error) {
	g := &reachedExtensions{of: map[*objects.Object]*renderedExtension{}}
	first, err := g.addFirst(c, o)
	if err != nil {
		return g, err
	}
	name, err := valueOf(c, first.unit, o, manifest.Path{"metadata", "name"})
	if err != nil {
		return g, err
	}
	kind := olm.APIGroup
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

// addIfNamedAlike adds an extension whose name is written at the same place.
func (g *reachedExtensions) addIfNamedAlike(c *engine.Context, u *objects.Unit, o *objects.Object, name templateValue) error {
	if o.InFile() {
		return nil
	}
	written, err := valueOf(c, u, o, manifest.Path{"metadata", "name"})
	if err != nil || written.key != name.key {
		return nil // its name is written elsewhere
	}
	m, err := g.addExtension(c, u, o)
	if err == nil && m.Account.State != olm.Absent {
		first := g.members[0]
		if first.unit == u {
			return engine.Refuse("%s in %s has an account, but %s from the same template has none: %s",
				engine.NameOf(o), withValues(u), engine.NameOf(first.Object), bindByHand)
		}
		return engine.Refuse("%s has an account in %s and none in %s, and one template renders both: %s",
			engine.NameOf(o), withValues(u), withValues(first.unit), bindByHand)
	}
	return err
}

// withValues returns the name of a unit in messages that compare units of one chart.
func withValues(u *objects.Unit) string {
	if u.Kind == objects.ChartUnit && u.Name == u.Root {
		return u.String() + " with its own values"
	}
	return u.String()
}

// templateBinding makes the plan for these extensions.
func templateBinding(c *engine.Context, g *reachedExtensions) (*engine.Plan, error) {
	first := g.members[0]
	switch {
	case g.strictestModel(c) != olm.Synthetic:
		return nil, engine.Refuse("%s has no target with synthetic identities, or another set of values requires accounts",
			first.unit)
	case c.Policy.Grant.Mode != engine.RoleGrant:
		return nil, engine.Refuse("the permissions that %s needs are unknown: name a ClusterRole with --grant role=NAME, or "+
			"write the binding into the chart by hand", engine.SubjectName(first.UserSubject()))
	}
	p := &engine.Plan{Object: first.Object, Description: "Grant ClusterRole " + c.Policy.Grant.Role + " to the identities of " +
		"all extensions that the template writes"}
	var templates []*bindingTemplate
	for _, m := range g.members {
		if err := identity.CheckSyntheticGate(c, m.Variant); err != nil {
			return nil, err
		}
		if err := identity.CheckAccountSetters(c, m.Object); err != nil {
			return nil, err
		}
		h := identity.MigrateToRole(c, m.Variant, m.UserSubject(), m.UserSubject())
		s, err := bindingTemplateFor(c, &templates, m)
		if err != nil {
			return nil, err
		}
		if len(identity.UnitsUsingIdentity(c, m.Variant)) == 0 {
			h.Missing = roleGrants(c)
		}
		if err := s.addMember(c, m, h); err != nil {
			return nil, err
		}
		identity.DeclareGains(p, m.Variant, m.UserSubject(), h.Missing...)
	}
	if len(p.Gains) == 0 {
		return nil, engine.Refuse("%s already holds %s", engine.SubjectName(first.UserSubject()), c.Policy.Grant.Describe())
	}
	if len(g.members) == 1 {
		p.Description = "Grant " + engine.SubjectName(first.UserSubject()) + " ClusterRole " + c.Policy.Grant.Role
	}
	identity.NoteUnknownRole(c, p)
	return p, writeTemplates(c, p, templates)
}

package helm

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/kube/olm"
)

// RemoveServiceAccount removes the lines of a template that write the field. If OLM then acts as the synthetic identity, that
// identity is first granted what the account has, with a template of the same chart.
func RemoveServiceAccount(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	return stateOf(c).removed.get(c, r.Object, extensionsWrittenWith, templateRemoval)
}

// templateRemoval makes the plan for the extensions that some lines render.
func templateRemoval(c *engine.Context, g *reachedExtensions) (*engine.Plan, error) {
	if g.removals == nil {
		return nil, engine.Refuse("the extension names no account")
	}
	if err := checkLines(c, g); err != nil {
		return nil, err
	}
	for _, m := range g.members {
		if err := identity.CheckServedVersion(m.Variant); err != nil {
			return nil, err
		}
		if err := identity.CheckAccountReaders(c, m.Object); err != nil {
			return nil, err
		}
		if err := identity.CheckAccountSetters(c, m.Object); err != nil {
			return nil, err
		}
	}
	first := g.members[0]
	p := &engine.Plan{Object: first.Object, Description: "Remove " + first.Account.Path.String() + ": OLM acts as its own account"}
	switch g.strictestModel(c) {
	case olm.Unknown:
		return nil, engine.RefuseUnknownTarget(g.memberWithModel(c, olm.Unknown).unit)
	case olm.Required:
		return nil, keepInTemplate(c, g)
	case olm.Synthetic:
		if err := migrateInTemplate(c, p, g); err != nil {
			return nil, err
		}
	}
	for _, lines := range g.lines {
		change, err := withoutLines(c, lines)
		if err != nil {
			return nil, err
		}
		p.Texts = append(p.Texts, change)
		if err := editOriginalChart(c, p, change); err != nil {
			return nil, err
		}
	}
	if err := declareRemovals(c, p, g); err != nil {
		return nil, err
	}
	declareChecksums(c, p, g)
	for _, m := range g.members {
		identity.DeclareLeftPolicies(c, p, m.Variant)
		identity.DeclareRejections(c, p, m.Variant)
	}
	noteUnused(c, p, g)
	var renderings []*rendering
	for _, m := range g.members {
		if !slices.Contains(renderings, m.rendering) {
			renderings = append(renderings, m.rendering)
		}
	}
	noteUnrenderedBranches(p, g.lines, renderings)
	return p, nil
}

// declareRemovals declares what the units lose, and removes what patches of postRenderers do to the fields: those that set one would
// bring it back, and those that read, replace, or remove one would fail.
func declareRemovals(c *engine.Context, p *engine.Plan, g *reachedExtensions) error {
	var patches engine.FieldRemoval
	for _, r := range g.removals {
		writers := engine.WritersOf(r.member.Object, r.path)
		if err := engine.CheckWriters(writers, r.path.String()); err != nil {
			return err
		}
		patches.Add(writers...)
		if r.member.Object.Node.Lookup(r.path) != nil {
			p.Applied = append(p.Applied, engine.AppliedChange{Unit: r.member.unit, Object: r.member.Object, Op: engine.RemoveValue, Path: r.path})
		}
	}
	before := len(p.Changes)
	err := patches.AddChanges(p)
	for _, change := range p.Changes[before:] {
		c.DeclareBuiltChange(p, change)
	}
	return err
}

// strictestModel returns the strictest model of all units that render the lines, which share one template. An unknown model
// can be any.
func (g *reachedExtensions) strictestModel(c *engine.Context) olm.Model {
	for _, model := range []olm.Model{olm.Unknown, olm.Required, olm.Synthetic, olm.Ignored} {
		if g.memberWithModel(c, model) != nil {
			return model
		}
	}
	return olm.Removed
}

func (g *reachedExtensions) memberWithModel(c *engine.Context, model olm.Model) *renderedExtension {
	for _, m := range g.members {
		if c.Lookups.Target(m.unit, m.Object).Model == model {
			return m
		}
	}
	return nil
}

func keepInTemplate(c *engine.Context, g *reachedExtensions) error {
	m := g.memberWithModel(c, olm.Required)
	at := m.Object.Position(m.Account.Path)
	switch m.Account.State {
	case olm.Null, olm.Empty, olm.EmptyName:
		return engine.Refuse("%s (target %s) requires an account, but the template writes none at %s: name one there or in "+
			"the values by hand",
			m.unit, c.Lookups.Target(m.unit, m.Object).Name, at)
	}
	return engine.Refuse("%s (target %s) requires the field, and the template writes it at %s for all sets of values: keep "+
		"it, or wrap it in an `if` with a value that depends on the release", m.unit, c.Lookups.Target(m.unit, m.Object).Name, at)
}

package helm

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/identity"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// reachedExtensions is what one edit of templates reaches: lines, and the extensions of all units whose accounts they write.
type reachedExtensions struct {
	members  []*renderedExtension
	of       map[*objects.Object]*renderedExtension
	lines    []block.Origin
	removals []removal
}

// renderedExtension is an extension as one unit renders it.
type renderedExtension struct {
	*identity.Variant
	unit      *objects.Unit
	rendering *rendering
	template  render.Template
	// lines are those that write its accounts, with the scopes of their keys.
	lines []accountLines
}

// accountLines write the account at a path.
type accountLines struct {
	path manifest.Path
	block.Origin
}

// removal is a field that is removed with the lines.
type removal struct {
	member *renderedExtension
	path   manifest.Path
	calls  []block.Call
}

const removeByHand = "remove the field from the template by hand, and compare the output of helm template before and after"

// extensionsWrittenWith finds what an edit of the lines reaches that write the account of an extension. With an error, it
// returns what was found so far.
func extensionsWrittenWith(c *engine.Context, o *objects.Object) (*reachedExtensions, error) {
	g := &reachedExtensions{of: map[*objects.Object]*renderedExtension{}}
	if _, err := g.addFirst(c, o); err != nil {
		return g, err
	}
	for i := 0; i < len(g.members); i++ { // members that are added may have more accounts
		m := g.members[i]
		for _, account := range append([]olm.Account{m.Account}, m.Others...) {
			if account.State == olm.Absent {
				continue
			}
			if err := g.followPatches(c, m, account.Path); err != nil {
				return g, err
			}
			if charts.Form(m.Object).Node.Lookup(account.Path) == nil {
				g.removals = append(g.removals, removal{member: m, path: account.Path})
				continue // only a postRenderer sets it
			}
			if err := g.followField(c, m, account.Path); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// addFirst adds an extension, in the unit that it is an object of.
func (g *reachedExtensions) addFirst(c *engine.Context, o *objects.Object) (*renderedExtension, error) {
	for _, unit := range c.Repo.UnitsOf(o.File) {
		if slices.Contains(unit.Objects, o) {
			return g.addExtension(c, unit, o)
		}
	}
	return nil, engine.RefuseTemplate(o, nil, removeByHand)
}

// addExtension adds an extension of a unit, once.
func (g *reachedExtensions) addExtension(c *engine.Context, u *objects.Unit, o *objects.Object) (*renderedExtension, error) {
	if m := g.of[o]; m != nil {
		return m, nil
	}
	read, ok := olm.ReadExtension(o.Node)
	if !ok || read.Kind != olm.ClusterExtensionKind {
		return nil, engine.RefuseTemplate(o, nil, "it is not a ClusterExtension: change it by hand")
	}
	r, t, err := renderingOf(c, u, o)
	if err != nil {
		return nil, err
	}
	m := &renderedExtension{Variant: &identity.Variant{Extension: read, Object: o, Units: []*objects.Unit{u}}, unit: u, rendering: r, template: t}
	g.members, g.of[o] = append(g.members, m), m
	return m, nil
}

// followField finds the lines that write a field of a member, and everything else that they write.
func (g *reachedExtensions) followField(c *engine.Context, m *renderedExtension, path manifest.Path) error {
	origin, err := m.rendering.reader.Field(m.template, charts.Form(m.Object).Text(), path)
	if err != nil {
		return refuseUncertain(err, removeByHand)
	}
	if slices.ContainsFunc(g.lines, func(l block.Origin) bool { return sameLines(l, origin) }) {
		return nil
	}
	if err := m.rendering.checkEditableSource(m.Object, origin, removeByHand); err != nil {
		return err
	}
	g.lines = append(g.lines, origin)
	for _, unit := range c.Repo.Units {
		if !unit.Reads(origin.Source.File) {
			continue
		}
		if err := g.followInUnit(c, unit, origin); err != nil {
			return err
		}
	}
	return nil
}

// followPatches adds the extensions whose account is set by the same patches of postRenderers.
func (g *reachedExtensions) followPatches(c *engine.Context, m *renderedExtension, path manifest.Path) error {
	patches := map[string]bool{}
	for _, w := range engine.WritersOf(m.Object, path) {
		patches[engine.WriterTextKey(w)] = true
	}
	if len(patches) == 0 {
		return nil
	}
	for _, unit := range c.Repo.Units {
		for _, o := range unit.Objects {
			if charts.Form(o) == o {
				continue
			}
			shares := slices.ContainsFunc(engine.WritersOf(o, path), func(w objects.Writer) bool { return patches[engine.WriterTextKey(w)] })
			if !shares {
				continue
			}
			if _, err := g.addExtension(c, unit, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEditableSource refuses a template that the chart does not own: in an archive, or behind a link.
func (r *rendering) checkEditableSource(o *objects.Object, origin block.Origin, byHand string) error {
	if origin.Source.Inside != "" {
		return engine.Refuse("%s is rendered by %s in the archive %s: change the chart in the archive, and package it again",
			engine.NameOf(o), origin.Source.Inside, origin.Source.File)
	}
	if link := r.of.Linked(origin.Source.File); link != "" {
		return engine.Refuse("%s is rendered by %s, which is reached through the link %s: other users of the link target "+
			"would get the change without a proof: %s", engine.NameOf(o), origin.Source.File, link, byHand)
	}
	return nil
}

func sameLines(a, b block.Origin) bool {
	return a.Source.File == b.Source.File && a.Source.Inside == b.Source.Inside && a.Span == b.Span
}

// followInUnit finds what lines write in a unit.
func (g *reachedExtensions) followInUnit(c *engine.Context, u *objects.Unit, lines block.Origin) error {
	if u.NotBuilt {
		return refuseUnrendered(u, lines.Source.File, removeByHand)
	}
	for _, left := range u.LeftOut {
		if left.Covers(lines.Source.File) {
			return engine.Refuse("what %s applies of %s is unknown (%s: %s): %s", u, lines.Source.File, left.Position, left.Reason, removeByHand)
		}
	}
	renderings, err := renderings(c, u)
	if err != nil {
		return err
	}
	for _, r := range renderings {
		if err := r.checkTraced(lines); err != nil {
			return err
		}
		for _, w := range r.reader.Wrote(lines) {
			if err := g.addField(c, u, r, w, lines); err != nil {
				return err
			}
		}
	}
	return nil
}

func refuseUnrendered(u *objects.Unit, file, what string) error {
	return engine.Refuse("%s also renders %s, but could not be rendered, so the effect of a change to the template is "+
		"unknown: fix that first, or %s", u, file, what)
}

// addField adds a field that lines wrote. They must be as certain in this rendering as in the others.
func (g *reachedExtensions) addField(c *engine.Context, u *objects.Unit, r *rendering, w block.Written, lines block.Origin) error {
	field, ok := r.accounts[w]
	if !ok {
		line, column := lines.Scope.File.Position(lines.Key)
		return engine.Refuse("the lines of %s:%d:%d also write something that is not an account of a ClusterExtension, in %s "+
			"of %s: %s",
			lines.Source.File, line, column, w.Template, u, removeByHand)
	}
	m, err := g.addExtension(c, u, field.object)
	if err != nil {
		return err
	}
	origin, err := r.reader.Field(m.template, charts.Form(field.object).Text(), field.path)
	if err != nil {
		return refuseUncertain(err, removeByHand)
	}
	if !sameLines(lines, origin) {
		return engine.Refuse("in %s, other lines of the same template write the field at %s: %s",
			u, field.object.Position(field.path), removeByHand)
	}
	g.removals = append(g.removals, removal{m, field.path, origin.Calls})
	origin.Scope = origin.Scope.File.Scope(origin.Key)
	m.lines = append(m.lines, accountLines{field.path, origin})
	return nil
}

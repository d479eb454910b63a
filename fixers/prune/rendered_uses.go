package prune

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// renderedText is a template as a unit renders it, with the objects of the unit that come from it, by the document.
type renderedText struct {
	unit     *objects.Unit
	template render.Template
	objects  map[int][]*objects.Object
}

// renderedTexts are the texts that all charts render.
type renderedTexts []*renderedText

func newRenderedTexts(c *engine.Context) renderedTexts {
	var all renderedTexts
	for _, unit := range c.Repo.Units {
		known := map[*charts.Rendered][]*renderedText{}
		for _, o := range unit.Objects {
			made := charts.Of(o)
			if made == nil {
				continue
			}
			if known[made.Rendered] == nil {
				for _, t := range made.Rendered.Untraced() {
					known[made.Rendered] = append(known[made.Rendered], &renderedText{unit, t, map[int][]*objects.Object{}})
				}
				all = append(all, known[made.Rendered]...)
			}
			text := known[made.Rendered][made.Index]
			index := charts.Form(o).Text().Index
			text.objects[index] = append(text.objects[index], o)
		}
	}
	return all
}

// isChartValue reports whether a mention is in the values of the chart that renders an object. The value is no use by itself:
// what uses the object is what the charts render with it.
func (p *Pruner) isChartValue(u uses.Used, m uses.Place) bool {
	if !isRendered(u.Object) {
		return false
	}
	for _, form := range formsOfManifest(p.c, u.Object) {
		set := charts.Of(form.Object).Rendered.Set
		isApplier := slices.ContainsFunc(form.Unit.Appliers, func(a objects.Applier) bool { return a.Object.File == m.File })
		if m.File == set.Chart+"/values.yaml" || slices.Contains(set.Files, m.File) || m.IsChartValue() && (isApplier || form.Unit.Reads(m.File)) {
			return true
		}
	}
	return false
}

// renderedUse returns an object of a chart that names an object and stays, at a place that counts. Names that come from values are in no template.
func (p *Pruner) renderedUse(u uses.Used, counts func(uses.Place) bool) (uses.Place, bool) {
	names := []string{u.Object.Name}
	if isRendered(u.Object) {
		names = append(names, charts.Form(u.Object).Name)
	}
	for _, text := range engine.Memo(p.c, newRenderedTexts) {
		if !containsAny(text.template.Text, names) {
			continue
		}
		for _, doc := range manifest.Scan(text.template.File, []byte(text.template.Text)).Docs {
			if doc.Parse() != nil || !containsAny(text.template.Text[doc.Span.Start:doc.Span.End], names) {
				continue
			}
			for _, o := range objects.AllObjects(doc) {
				if path, found := p.usesRendered(u, text.objectFor(o), names); found {
					o = text.objectFor(o)
					at := o.Position(path)
					if place := (uses.Place{File: at.File, Line: at.Line, Kind: o.Kind, Path: path}); counts(place) {
						return place, true
					}
				}
			}
		}
	}
	return uses.Place{}, false
}

// objectFor returns the object of the unit for one of the text; the latter if the unit does not have it.
func (t *renderedText) objectFor(o *objects.Object) *objects.Object {
	for _, other := range t.objects[o.Doc.Index] {
		if slices.Equal(charts.Form(other).Path, o.Path) {
			return other
		}
	}
	return o
}

func containsAny(text string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
}

// usesRendered returns the field by which an object that stays uses another one.
func (p *Pruner) usesRendered(u uses.Used, o *objects.Object, names []string) (used manifest.Path, found bool) {
	if p.removed.forms[o] {
		return nil, false
	}
	var walk func(n *manifest.Node, at manifest.Path)
	walk = func(n *manifest.Node, at manifest.Path) {
		for _, field := range n.Fields() {
			walk(field.Value, at.Join(field.Key.String()))
		}
		for i, item := range n.Items() {
			walk(item, at.Join(strconv.Itoa(i)))
		}
		isName := n.IsScalar() && slices.ContainsFunc(names, func(name string) bool { return hasWord(n.String(), name) })
		if !found && isName && len(at) > 0 && !p.isNoRenderedUse(u, o, at) {
			used, found = at, true
		}
	}
	walk(o.Node, nil)
	return used, found
}

// isNoRenderedUse reports whether a field of an object with the name of another one does not use it.
func (p *Pruner) isNoRenderedUse(u uses.Used, o *objects.Object, at manifest.Path) bool {
	if subjects.IsBinding(o) && len(at) > 1 && at[0] == "subjects" && p.removed.bound[boundForm{o, subjects.Index(at)}] {
		return true
	}
	if p.fieldRemover(o, at) != nil {
		return true
	}
	isOther := u.IsOtherAt(o, at, u.Object.Name, false)
	if !u.IsAccount() && !u.IsBinding() {
		sameScope := u.Object.Namespace == "" || objects.SameNamespace(u.Object.Namespace, o.Namespace)
		return at[0] != "roleRef" || !sameScope || isOther
	}
	return isOther
}

// fieldRemover returns the plan that removes a field of an object of a chart, or nil.
func (p *Pruner) fieldRemover(o *objects.Object, at manifest.Path) *engine.Plan {
	for _, plan := range p.fieldRemovals {
		if slices.ContainsFunc(plan.Applied, func(a engine.AppliedChange) bool {
			return a.Object == o && a.Op == engine.RemoveValue && engine.IsWithin(a.Path, at)
		}) {
			return plan
		}
	}
	return nil
}

// hasWord reports whether a text contains a name that is not a part of a longer one.
func hasWord(text, name string) bool {
	for at := 0; name != ""; {
		next := strings.Index(text[at:], name)
		if next < 0 {
			return false
		}
		start, end := at+next, at+next+len(name)
		if (start == 0 || !inName(text[start-1])) && (end == len(text) || !inName(text[end])) {
			return true
		}
		at = start + 1
	}
	return false
}

func inName(c byte) bool {
	return c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// needRenderedRemovals reports the plans without which an object of a chart would still use an account.
func (p *Pruner) needRenderedRemovals(form accountForm, need func(*engine.Plan)) {
	for _, text := range engine.Memo(p.c, newRenderedTexts) {
		for _, all := range text.objects {
			for _, o := range all {
				for _, ref := range o.References() {
					if ref.Account.Matches(form.account) {
						need(p.fieldRemover(o, ref.Path))
					}
				}
			}
		}
	}
}

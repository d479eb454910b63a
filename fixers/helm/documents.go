package helm

import (
	"fmt"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

const removeDocumentByHand = "remove it from the template by hand, and compare the output of helm template before and after"

// TemplateDocument is a part of a template that renders whole documents.
type TemplateDocument struct {
	// Place is where it begins.
	Place string
	// Forms are the objects that units render from it.
	Forms []applied.Form
	// Change removes it.
	Change engine.TextChange

	lines     block.Origin
	templates map[*objects.Unit]map[string]bool
}

// documentCache holds the documents of templates by the objects that they render.
type documentCache map[*objects.Object]cachedDocument

type cachedDocument struct {
	document *TemplateDocument
	err      error
}

// DocumentOf returns the part of a template that renders an object. All objects that it renders share one. The error is a
// *engine.Refusal.
func DocumentOf(c *engine.Context, o *objects.Object) (*TemplateDocument, error) {
	known := stateOf(c).documents
	if found, ok := known[o]; ok {
		return found.document, found.err
	}
	d, err := newDocument(c, o)
	known[o] = cachedDocument{d, err}
	if err == nil {
		for _, form := range d.Forms {
			known[form.Object] = known[o]
		}
	}
	return d, err
}

func newDocument(c *engine.Context, o *objects.Object) (*TemplateDocument, error) {
	unit := c.Repo.UnitThatHas(o)
	if unit == nil || charts.Of(o) == nil {
		return nil, engine.RefuseTemplate(o, nil, removeDocumentByHand)
	}
	if len(charts.Form(o).Path) > 0 {
		return nil, engine.Refuse("%s at %s is an item of a List in a template: %s", engine.NameOf(o), o.Position(nil), removeDocumentByHand)
	}
	r, t, err := renderingOf(c, unit, o)
	if err != nil {
		return nil, err
	}
	lines, err := r.reader.Document(t, charts.Form(o).Text())
	if err != nil {
		return nil, refuseUncertain(err, removeDocumentByHand)
	}
	d := &TemplateDocument{lines: lines, templates: map[*objects.Unit]map[string]bool{}}
	line, _ := lines.Scope.File.Position(lines.Key)
	d.Place = fmt.Sprintf("%s:%d", lines.Source.File, line)
	if err := d.checkSource(c, r, o); err != nil {
		return nil, err
	}
	if d.Change, err = rewrite(c, lines, "", removeDocumentByHand); err != nil {
		return nil, err
	}
	d.Change.Document, d.Change.Order = true, commit.OrderRemoval
	for _, unit := range c.Repo.Units {
		if !unit.Reads(lines.Source.File) {
			continue
		}
		if err := d.addForms(c, unit); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// clusterDependent are expressions by which a document depends on the cluster, and annotations of objects that stay on the cluster
// when the chart no longer renders them.
var clusterDependent = lazyregexp.New(`\blookup\b|\.Release\.Is(?:Install|Upgrade)\b|\bhelm\.sh/(?:hook\b|resource-policy\b)`)

// checkSource refuses lines that the chart does not own, and those of objects that do not go away with them.
func (d *TemplateDocument) checkSource(c *engine.Context, r *rendering, o *objects.Object) error {
	if err := r.checkEditableSource(o, d.lines, removeDocumentByHand); err != nil {
		return err
	}
	if original := charts.SourceOf(d.lines.Source.File, c.Repo.Read); original != "" {
		return engine.Refuse("%s at %s is in a copy of %s, a dependency of the chart: remove it there by hand, and run `helm dependency update`",
			engine.NameOf(o), d.Place, original)
	}
	text := d.lines.Source.Text[d.lines.Span.Start:d.lines.Span.End]
	for _, guard := range d.lines.Scope.Guards {
		for _, opening := range guard.Opening {
			text += opening
		}
	}
	if found := clusterDependent().FindString(text); found != "" {
		return engine.Refuse("%s at %s depends on %s, so the chart without it can leave it on the cluster: remove it from the template and from the cluster by hand",
			engine.NameOf(o), d.Place, found)
	}
	return nil
}

// renderedAt is the place of a document in a rendering.
type renderedAt struct {
	rendered        *charts.Rendered
	template, index int
}

// addForms adds what the lines render in a unit.
func (d *TemplateDocument) addForms(c *engine.Context, u *objects.Unit) error {
	file := d.lines.Source.File
	if u.NotBuilt {
		return refuseUnrendered(u, file, removeDocumentByHand)
	}
	for _, left := range u.LeftOut {
		if left.Covers(file) {
			return engine.Refuse("what %s applies of %s is unknown (%s: %s): %s", u, file, left.Position, left.Reason, removeDocumentByHand)
		}
	}
	all, err := renderings(c, u)
	if err != nil {
		return err
	}
	known := map[renderedAt][]*objects.Object{}
	for _, o := range u.Objects {
		if made := charts.Of(o); made != nil {
			at := renderedAt{made.Rendered, made.Index, charts.Form(o).Text().Index}
			known[at] = append(known[at], o)
		}
	}
	for _, r := range all {
		for i, t := range r.templates {
			if t.File != file || t.Inside != "" {
				continue
			}
			if err := d.addTemplate(u, r, i, t, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTemplate adds what the lines render in a template of a rendering.
func (d *TemplateDocument) addTemplate(u *objects.Unit, r *rendering, index int, t render.Template, known map[renderedAt][]*objects.Object) error {
	for _, doc := range manifest.Scan(t.File, []byte(t.Text)).Docs {
		if err := doc.Parse(); err != nil || doc.Root == nil || doc.Root.IsNull() {
			continue
		}
		if !t.Traced {
			return engine.Refuse("%s processes its own output in %s, so the lines that render its documents are unknown: %s",
				t.File, u, removeDocumentByHand)
		}
		if !r.reader.Writes(d.lines, t, doc) {
			continue
		}
		found := known[renderedAt{r.of, index, doc.Index}]
		if len(found) != 1 || len(charts.Form(found[0]).Path) > 0 {
			return d.refuseOther(fmt.Sprintf("%s %s", doc.Root.Get("kind"), doc.Root.Lookup(manifest.Path{"metadata", "name"})), u)
		}
		same, err := r.reader.Document(t, doc)
		if err != nil {
			return refuseUncertain(err, removeDocumentByHand)
		}
		if !sameLines(d.lines, same) {
			return engine.Refuse("the lines at %s render a document in %s together with other lines: %s", d.Place, u, removeDocumentByHand)
		}
		if err := checkPatches(u, found[0]); err != nil {
			return err
		}
		d.Forms = append(d.Forms, applied.Form{Unit: u, Object: found[0]})
		if d.templates[u] == nil {
			d.templates[u] = map[string]bool{}
		}
		d.templates[u][t.Name] = true
	}
	return nil
}

// checkPatches refuses an object that a patch changes after the chart has rendered it: a patch that finds nothing fails.
func checkPatches(u *objects.Unit, o *objects.Object) error {
	if o.Applied.Writers == nil {
		return nil
	}
	for _, w := range o.Applied.Writers(nil) {
		if w.What == objects.StrategicPatch || w.What == objects.JSONPatch {
			return engine.Refuse("%s patches %s after the chart has rendered it, at %s: remove the patch and the document of the template by hand",
				u, engine.NameOf(o), w.Position())
		}
	}
	return nil
}

// RefuseOther refuses to remove the document because it renders an object that stays.
func (d *TemplateDocument) RefuseOther(form applied.Form) error {
	return d.refuseOther(engine.NameOf(form.Object).String(), form.Unit)
}

func (d *TemplateDocument) refuseOther(what string, u *objects.Unit) error {
	return &engine.Refusal{
		Reason: fmt.Sprintf("the template at %s also renders %s in %s, which stays: write it in a separate document, or %s", d.Place, what, u, removeDocumentByHand),
		Alike:  "template: renders others",
	}
}

// Declare declares that the document is removed.
func (d *TemplateDocument) Declare(c *engine.Context, p *engine.Plan) {
	if slices.Contains(p.Texts, d.Change) {
		return
	}
	p.Texts = append(p.Texts, d.Change)
	for _, form := range d.Forms {
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: form.Unit, Object: form.Object, Op: engine.RemoveDocument})
	}
	declareChecksumsOf(c, p, d.templates)
}

// Covers reports whether a line of a file is in the document.
func (d *TemplateDocument) Covers(file string, line int) bool {
	return covers(d.lines, file, line)
}

func covers(lines block.Origin, file string, line int) bool {
	if file != lines.Source.File {
		return false
	}
	first, _ := lines.Scope.File.Position(lines.Span.Start)
	last, _ := lines.Scope.File.Position(max(lines.Span.End-1, lines.Span.Start))
	return first <= line && line <= last
}

// ItemLines are lines of a template that write an item of a list.
type ItemLines struct {
	lines block.Origin
	// Change removes them.
	Change engine.TextChange
}

// SameAs reports whether the lines are the same.
func (i ItemLines) SameAs(other ItemLines) bool { return sameLines(i.lines, other.lines) }

// Covers reports whether a line of a file is one of them.
func (i ItemLines) Covers(file string, line int) bool { return covers(i.lines, file, line) }

// ItemOf returns the lines of a template that write an item of a list of an object.
func ItemOf(c *engine.Context, form applied.Form, list manifest.Path, index int) (ItemLines, error) {
	r, t, err := renderingOf(c, form.Unit, form.Object)
	if err != nil {
		return ItemLines{}, err
	}
	lines, err := r.reader.Item(t, charts.Form(form.Object).Text(), list, index)
	if err != nil {
		return ItemLines{}, refuseUncertain(err, removeDocumentByHand)
	}
	if err := r.checkEditableSource(form.Object, lines, removeDocumentByHand); err != nil {
		return ItemLines{}, err
	}
	if original := charts.SourceOf(lines.Source.File, c.Repo.Read); original != "" {
		return ItemLines{}, engine.Refuse("%s is a copy of %s: remove the item there by hand", lines.Source.File, original)
	}
	change, err := rewrite(c, lines, "", removeDocumentByHand)
	change.Order = commit.OrderRemoval
	return ItemLines{lines, change}, err
}

// DeclareChecksums declares the checksums of the templates that render the document.
func (d *TemplateDocument) DeclareChecksums(c *engine.Context, p *engine.Plan) {
	declareChecksumsOf(c, p, d.templates)
}

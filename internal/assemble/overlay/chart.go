package overlay

import (
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// chartObjects finds the templates of the objects that charts of kustomizations render.
type chartObjects struct {
	builder     *builder
	tracer      *tracer
	byRendering map[*render.ChartRendering]*charts.Rendered
	forms       map[templateKey][]*objects.Object
}

func newChartObjects(b *builder, t *tracer) chartObjects {
	return chartObjects{
		builder: b, tracer: t, byRendering: map[*render.ChartRendering]*charts.Rendered{}, forms: map[templateKey][]*objects.Object{},
	}
}

// templateKey identifies a template of a rendering.
type templateKey struct {
	rendering *charts.Rendered
	template  int
}

// object returns a built object as one of a chart, with the object that the chart renders as its form. It is nil for other objects.
func (c chartObjects) object(built builtObject, times map[string]int) *objects.Object {
	made, ok := built.origin.Made.(*render.ChartObject)
	if !ok || built.mark != "" { // a mark is in the text of a template that a kustomization lists as a resource, too
		return nil
	}
	form := c.form(made)
	if form == nil {
		return nil
	}
	doc := manifest.Scan(form.File, built.Doc.Bytes()).Docs[0]
	if doc.Parse() != nil {
		return nil
	}
	found := objects.Objects(doc)
	if len(found) != 1 {
		return nil
	}
	doc.Index = form.Doc.Index
	o, t, key, of := found[0], c.tracer, built.key(), *charts.Of(form)
	of.Form = form
	ref := o.Ref()
	o.Applied = &objects.Applied{
		Doc: doc, Instance: times[ref], Made: &of,
		Former: &objects.Object{
			APIVersion: form.APIVersion, Group: form.Group, Kind: form.Kind, Namespace: form.Namespace, Name: form.Name,
		},
		Trace:   func(path manifest.Path) []objects.Trace { return t.trace(o, path) },
		Writers: func(path manifest.Path) []objects.Writer { return t.writers(o, path) },
	}
	times[ref]++
	t.built[o] = builtKey{key, times[key]}
	times[key]++
	return o
}

// form returns the object as the chart renders it; nil if that is unknown.
func (c chartObjects) form(made *render.ChartObject) *objects.Object {
	rendered := c.byRendering[made.Rendering]
	if rendered == nil {
		rendered = charts.OfEntry(c.builder.ctx, made.Rendering, charts.EntryOptions{Files: c.builder.Options.Files, Workers: c.builder.Workers})
		c.byRendering[made.Rendering] = rendered
	}
	key := templateKey{rendered, made.Template}
	all, known := c.forms[key]
	if !known {
		all = rendered.ObjectsOf(made.Template)
		c.forms[key] = all
	}
	if made.Index >= len(all) {
		return nil
	}
	return all[made.Index]
}

// builtKey identifies an object in all builds of a unit: by its source, and by how often that was built before.
type builtKey struct {
	source string
	before int
}

// keyOf returns the key of an object that has a source or a form.
func (t *tracer) keyOf(o *objects.Object) builtKey {
	if key, ok := t.built[o]; ok {
		return key
	}
	return builtKey{o.Source().Ref(), o.Applied.Instance}
}

// sourceOf returns an object before the kustomizations change it: in its file, or as a chart renders it; nil if it has none.
func sourceOf(o *objects.Object) *objects.Object {
	if form := charts.Form(o); form != o {
		return form
	}
	return o.Source()
}

// fileOf returns the file through which a kustomization reaches an object: its own, or the kustomization that renders its chart.
func fileOf(o *objects.Object) string {
	if made := charts.Of(o); made != nil {
		return made.Rendered.By
	}
	return o.Source().File
}

// baseTrace returns the place that sets a field of a source.
func baseTrace(source *objects.Object, path manifest.Path, exact bool) objects.Trace {
	if source.Applied == nil {
		return objects.Trace{Doc: source.Doc, Path: source.At(path), What: objects.Base, Exact: exact}
	}
	trace := source.Applied.Trace(path)[0]
	trace.Exact = trace.Exact && exact
	return trace
}

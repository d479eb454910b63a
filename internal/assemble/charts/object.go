package charts

import (
	"errors"
	"slices"

	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// releaseName returns the default name of a chart's release: the chart's name, which most users choose.
func releaseName(chart string) string {
	if chartutil.ValidateReleaseName(chart) != nil {
		return defaultRelease
	}
	return chart
}

// objects returns the rendered objects. The error is a *render.Error at the template that does not render to manifests.
func (r *Rendered) objects(wanted func(*manifest.Document) bool) ([]*objects.Object, error) {
	var objs []*objects.Object
	times := map[string]int{}
	for i, template := range r.plain {
		for _, doc := range manifest.Scan(template.File, []byte(template.Text)).Docs {
			if wanted != nil && !wanted(doc) {
				continue
			}
			if err := doc.Parse(); err != nil {
				return nil, r.unparsable(i, err)
			}
			for _, o := range objects.Objects(doc) {
				ref := o.Ref()
				o = r.object(i, o)
				o.Applied.Instance = times[ref]
				times[ref]++ // templates of one archive share its name
				objs = append(objs, o)
			}
		}
	}
	slices.SortFunc(objs, objects.Compare)
	return objs, nil
}

// object links an object of a rendered template to the rendering.
func (r *Rendered) object(template int, o *objects.Object) *objects.Object {
	doc := o.Doc
	o.Applied = &objects.Applied{Doc: doc, Made: &RenderedObject{Rendered: r, Index: template}}
	o.Applied.Trace = func(path manifest.Path) []objects.Trace { return r.trace(template, doc, o.At(path)) }
	return o
}

// unparsable returns the error for a template that does not render to YAML, at its line as far as that is known.
func (r *Rendered) unparsable(i int, err error) error {
	template := r.plain[i]
	fault := &render.Error{File: template.File, Message: "it does not render to valid YAML: " + err.Error()}
	var syntax *manifest.SyntaxError
	if !errors.As(err, &syntax) {
		return fault
	}
	fault.Message = "it does not render to valid YAML: " + syntax.Message
	traced, traceErr := r.Templates()
	if traceErr != nil || template.Inside != "" {
		return fault
	}
	place := traced[i].Lines()[min(max(syntax.Line, 1), len(traced[i].Lines()))-1]
	if place.Inside == "" {
		fault.File, fault.Line, fault.Column = place.File, place.Line, place.Column
	}
	return fault
}

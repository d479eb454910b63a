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
		if template.CRD && r.Set.SkipCRDs {
			continue
		}
		for _, doc := range manifest.Scan(template.File, []byte(template.Text)).Docs {
			if wanted != nil && !wanted(doc) {
				continue
			}
			doc.LastKeys = r.takesRepeatedKeys()
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

// takesRepeatedKeys reports whether what renders the chart takes the last value of a key that a mapping has several times, as Helm and
// Argo CD do. Kustomize refuses such a mapping, and Flux adds labels with kustomize to all that a chart renders.
func (r *Rendered) takesRepeatedKeys() bool {
	return r.By == "" && r.Set.Dependencies != render.BuiltByFlux
}

// repeatedKeys returns a problem for each template with a key that a mapping has several times, at the first one.
func (r *Rendered) repeatedKeys(objs []*objects.Object) []objects.Problem {
	var problems []objects.Problem
	said := map[int]bool{}
	for _, o := range objs {
		template := o.Applied.Made.(*RenderedObject).Index
		repeated := o.Doc.RepeatedKeys()
		if len(repeated) == 0 || said[template] {
			continue
		}
		said[template] = true
		line, _ := o.Doc.File.Position(repeated[0])
		problems = append(problems, objects.Problem{
			Position: r.position(template, line),
			Message:  repeatsKey + "Helm and Argo CD take the last value, and Flux and kustomize refuse the chart. Remove all but one",
		})
	}
	return problems
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
	if at := r.position(i, syntax.Line); at.Line > 0 {
		fault.File, fault.Line, fault.Column = at.File, at.Line, at.Column
	}
	return fault
}

// position returns the place in the repository of a line that a template renders; its line is 0 if it is not known.
func (r *Rendered) position(template, line int) objects.Position {
	file := objects.Position{File: r.plain[template].File}
	traced, err := r.Templates()
	if err != nil || r.plain[template].Inside != "" {
		return file
	}
	lines := traced[template].Lines()
	place := lines[min(max(line, 1), len(lines))-1]
	if place.Inside != "" {
		return file
	}
	return objects.Position{File: place.File, Line: place.Line, Column: place.Column}
}

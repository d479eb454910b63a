package charts

import (
	"context"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// EntryOptions configure [OfEntry].
type EntryOptions struct {
	// Files is the repository.
	Files   render.Files
	Workers *render.Workers
}

// OfEntry returns the rendering of a chart by an entry of a kustomization.
func OfEntry(ctx context.Context, from *render.ChartRendering, o EntryOptions) *Rendered {
	set := Set{Chart: from.Chart, Name: from.Key, Values: from.Options.Values, ReleaseName: from.Release(), Namespace: from.Options.Namespace, Dependencies: render.NotBuilt}
	for _, values := range from.Options.Values {
		set.Files = append(set.Files, values.Name)
	}
	return &Rendered{
		Set: set, By: from.Kustomization, plain: from.Templates, files: o.Files, sources: read(o.Files, from.Chart, render.NotBuilt).templates(),
		render: func() ([]render.Template, error) { return from.Trace(ctx, o.Workers) },
	}
}

// ObjectsOf returns the objects of a template as the chart renders them; none if one of its documents cannot be parsed.
func (r *Rendered) ObjectsOf(template int) []*objects.Object {
	t := r.plain[template]
	var all []*objects.Object
	for _, doc := range manifest.Scan(t.File, []byte(t.Text)).Docs {
		doc.LastKeys = r.takesRepeatedKeys()
		if doc.Parse() != nil {
			return nil
		}
		for _, o := range objects.Objects(doc) {
			all = append(all, r.object(template, o))
		}
	}
	return all
}

package render

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
)

// chartObjects renders the chart of an entry of a kustomization file.
func (b *kustomizeBuild) chartObjects(e ChartEntry, file, chart string) ([]rendered.Object, error) {
	dir := path.Dir(file)
	o := ChartOptions{
		Workers: b.workers, ReleaseName: e.ReleaseName, Namespace: e.Namespace, KubeVersion: e.KubeVersion, APIVersions: e.APIVersions,
		nameTemplate: e.NameTemplate, Dependencies: NotBuilt, Note: func(note string) { b.notes = append(b.notes, note) },
	}
	if e.NameTemplate != "" && e.ReleaseName != "" {
		return nil, errors.New("helm accepts releaseName or nameTemplate, and not both")
	}
	if err := b.addValues(&o, e, dir, chart); err != nil {
		return nil, err
	}
	templates, err := Templates(context.WithValue(b.ctx, insideKey{}, true), b.files, chart, o)
	if err != nil {
		return nil, err
	}
	from := &ChartRendering{Key: e.key(file), Entry: e, Kustomization: file, Chart: chart, Templates: templates, Options: o, files: b.files}
	var all []rendered.Object
	for i, template := range templates {
		if template.CRD && !e.IncludeCRDs {
			continue
		}
		found, err := template.objects(chart)
		if err != nil {
			return nil, err
		}
		for n := range found {
			found[n].Origin.Made = &ChartObject{Rendering: from, Template: i, Index: n}
		}
		all = append(all, found...)
	}
	return all, nil
}

// ChartRendering is a chart as an entry of a kustomization renders it.
type ChartRendering struct {
	// Key identifies the entry in the repository.
	Key   string
	Entry ChartEntry
	// Kustomization is the file with the entry, and Chart the folder of the chart.
	Kustomization, Chart string
	// Templates are the rendered files, without trace. Options have the values of the entry.
	Templates []Template
	Options   ChartOptions

	files Files
}

// ChartObject is an object of such a rendering (rendered.Origin.Made): one of those of a template.
type ChartObject struct {
	Rendering       *ChartRendering
	Template, Index int
}

// Trace renders the chart again, with trace.
func (r *ChartRendering) Trace(ctx context.Context, workers *Workers) ([]Template, error) {
	o := r.Options
	o.Workers, o.Note, o.Trace = workers, nil, true
	return Templates(ctx, r.files, r.Chart, o)
}

// Release is the name of the release, or the template of it.
func (r *ChartRendering) Release() string {
	return cmp.Or(r.Entry.ReleaseName, r.Entry.NameTemplate, defaultRelease)
}

// addValues adds the values in the order in which kustomize passes them to helm.
func (b *kustomizeBuild) addValues(o *ChartOptions, e ChartEntry, dir, chart string) error {
	add := func(name string) error {
		if path.IsAbs(name) || !fs.ValidPath(name) {
			return &Error{File: name, Message: Outside}
		}
		real, err := Resolve(b.files, name)
		if err != nil {
			return err
		}
		data, err := b.files.ReadFile(real)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the values file %s does not exist", name)
		}
		if err != nil {
			return err
		}
		o.Values = append(o.Values, ValuesFile{Name: name, Data: data})
		return nil
	}
	first := path.Join(chart, "values.yaml")
	if e.ValuesFile != "" {
		first = path.Join(dir, e.ValuesFile)
	}
	if len(e.ValuesInline) == 0 || e.ValuesMerge != protocol.MergeReplace {
		if err := add(first); err != nil {
			return err
		}
	}
	if len(e.ValuesInline) > 0 {
		inline, err := json.Marshal(e.ValuesInline)
		if err != nil {
			return err
		}
		o.inline = &protocol.InlineValues{Data: inline, Merge: e.ValuesMerge}
	}
	for _, name := range e.AdditionalValuesFiles {
		if err := add(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

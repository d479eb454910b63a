package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
)

// chartObjects renders the chart of an entry.
func (b *kustomizeBuild) chartObjects(e ChartEntry, dir, chart string) ([]rendered.Object, error) {
	o := ChartOptions{
		Workers: b.workers, ReleaseName: e.ReleaseName, Namespace: e.Namespace, KubeVersion: e.KubeVersion, APIVersions: e.APIVersions,
		nameTemplate: e.NameTemplate, Note: func(note string) { b.notes = append(b.notes, note) },
	}
	if e.NameTemplate != "" && e.ReleaseName != "" {
		return nil, errors.New("helm accepts releaseName or nameTemplate, and not both")
	}
	if err := b.addValues(&o, e, dir, chart); err != nil {
		return nil, err
	}
	templates, err := Templates(b.ctx, b.files, chart, o)
	if err != nil {
		return nil, err
	}
	var all []rendered.Object
	for _, template := range templates {
		if template.CRD && !e.IncludeCRDs {
			continue
		}
		found, err := template.objects(chart)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// addValues adds the values in the order in which kustomize passes them to helm.
func (b *kustomizeBuild) addValues(o *ChartOptions, e ChartEntry, dir, chart string) error {
	add := func(name string) error {
		if path.IsAbs(name) || !fs.ValidPath(name) {
			return &Error{File: name, Message: Outside}
		}
		real, err := resolve(b.files, name)
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

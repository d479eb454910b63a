package applications

import (
	"path"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// editOf returns a kustomization with the changes of a source, and the text to build. The edit is nil if the source changes
// nothing. A list of patches counts as a change even if it is empty, so that the
// unit stays the same when its last patch is removed.
func (m *unitBuilder) editOf(k *objects.Kustomization, s sources.Source) (*objects.Kustomization, *overlay.Edit, error) {
	with := *k
	edit := &overlay.Edit{Root: &with, File: k.Path, Fields: map[string]objects.Trace{}, Position: s.Path.Location.Position()}
	m.setNames(&with, s.Kustomize, edit)
	m.addPatches(&with, s.Kustomize, edit)
	addMetadata(&with, s.Kustomize, s.Path.Location.Position())
	if len(with.Transforms) == len(k.Transforms) && len(edit.Fields) == 0 && s.Kustomize.Patches == nil {
		return k, nil, nil
	}
	data, err := m.edited(k, s.Kustomize)
	edit.Data = data
	return &with, edit, err
}

// editKey is a kustomization with changes of nothing but names and the namespace.
type editKey struct {
	file                   *manifest.File
	prefix, suffix, within string
}

// edited returns the text of a kustomization with changes. Each round asks for the same ones again.
func (m *unitBuilder) edited(k *objects.Kustomization, changes sources.Kustomization) ([]byte, error) {
	if len(changes.Labels)+len(changes.Annotations)+len(changes.Images)+len(changes.Replicas)+len(changes.Patches)+len(changes.Components) > 0 {
		return changes.Edit(k.Bytes(), k.Dir, m.exists)
	}
	key := editKey{k.Doc.File, changes.NamePrefix.Value, changes.NameSuffix.Value, changes.Namespace.Value}
	if data, known := m.edits[key]; known {
		return data, nil
	}
	data, err := changes.Edit(k.Bytes(), k.Dir, m.exists)
	if err == nil {
		m.edits[key] = data
	}
	return data, err
}

// setNames sets the single-valued fields of a kustomization: the application's values replace those of the file.
func (m *unitBuilder) setNames(k *objects.Kustomization, changes sources.Kustomization, edit *overlay.Edit) {
	fields := []struct {
		name  string
		field view.Field[string]
	}{{"namePrefix", changes.NamePrefix}, {"nameSuffix", changes.NameSuffix}, {"namespace", changes.Namespace}}
	var kept []objects.Transform
	for _, t := range k.Transforms {
		overridden := false
		for _, f := range fields {
			overridden = overridden || f.name == t.Field && f.field.Value != ""
		}
		if !overridden {
			kept = append(kept, t)
		}
	}
	for _, f := range fields {
		if f.field.Value == "" {
			continue
		}
		edit.Fields[f.name] = traceTo(f.field.Location)
		kept = append(kept, objects.Transform{Field: f.name, Value: f.field.Value, Position: f.field.Location.Position()})
	}
	k.Transforms = kept
}

// addPatches adds the patches and components of the application to those of the file.
func (m *unitBuilder) addPatches(k *objects.Kustomization, changes sources.Kustomization, edit *overlay.Edit) {
	k.NonObjectInputs, k.Resources = k.NonObjectInputs[:len(k.NonObjectInputs):len(k.NonObjectInputs)], k.Resources[:len(k.Resources):len(k.Resources)]
	for _, p := range changes.Patches {
		at := p.Location.Position()
		edit.Patches = append(edit.Patches, patchOf(p))
		k.Transforms = append(k.Transforms, objects.Transform{Field: "patches", Position: at})
		if p.Path.Value != "" {
			k.NonObjectInputs = append(k.NonObjectInputs, objects.NonObjectInput{File: path.Join(k.Dir, p.Path.Value), Field: "patches", Position: at})
		}
	}
	for _, component := range changes.Components {
		target := path.Join(k.Dir, component.Value)
		if changes.IgnoreMissingComponents && !m.exists(target) {
			continue
		}
		at := component.Location.Position()
		k.Transforms = append(k.Transforms, objects.Transform{Field: "components", Position: at})
		k.Resources = append(k.Resources, objects.Entry{Field: "components", Value: component.Value, Target: target, Position: at})
	}
}

// addMetadata adds the labels, annotations, images and replicas of the application as changes.
func addMetadata(k *objects.Kustomization, changes sources.Kustomization, at objects.Position) {
	k.Transforms = k.Transforms[:len(k.Transforms):len(k.Transforms)]
	for _, written := range []struct {
		field string
		count int
	}{
		{"commonLabels", len(changes.Labels)}, {"commonAnnotations", len(changes.Annotations)},
		{"images", len(changes.Images)}, {"replicas", len(changes.Replicas)},
	} {
		if written.count > 0 {
			k.Transforms = append(k.Transforms, objects.Transform{Field: written.field, Position: at})
		}
	}
}

// fluxKustomization returns the kustomization that Flux generates for a folder without one. It exists only in the cluster.
func fluxKustomization(s sources.Source, contents sources.Contents) (*objects.Kustomization, error) {
	doc := manifest.Scan(path.Join(s.Path.Value, "kustomization.yaml"), contents.Kustomization(s.Path.Value)).Docs[0]
	if err := doc.Parse(); err != nil {
		return nil, err
	}
	k, err := objects.ReadKustomization(doc)
	if err != nil {
		return nil, err
	}
	for i := range k.Resources {
		k.Resources[i].Position = s.Path.Location.Position()
	}
	return k, nil
}

package sources

import (
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// Edit returns a kustomization file with the changes of an application, as Argo CD and Flux write it before they build.
// exists reports whether the repository has a file or folder; dir is the folder of the file.
func (k Kustomization) Edit(file []byte, dir string, exists func(name string) bool) ([]byte, error) {
	fields := map[string]any{}
	if err := yaml.Unmarshal(file, &fields); err != nil {
		return nil, fmt.Errorf("the kustomization cannot be changed: %w", err)
	}
	if fields == nil {
		fields = map[string]any{}
	}
	for key, field := range map[string]view.Field[string]{"namePrefix": k.NamePrefix, "nameSuffix": k.NameSuffix, "namespace": k.Namespace} {
		if field.Value != "" {
			fields[key] = field.Value
		}
	}
	if err := k.mark(fields); err != nil {
		return nil, err
	}
	for _, image := range k.Images {
		setNamed(fields, "images", image.Name, image.fields())
	}
	for _, replicas := range k.Replicas {
		setNamed(fields, "replicas", replicas.Name, map[string]any{"count": replicas.Count})
	}
	for _, patch := range k.Patches {
		add(fields, "patches", patch.fields())
	}
	for _, component := range k.Components {
		if !k.IgnoreMissingComponents || exists(path.Join(dir, component.Value)) {
			add(fields, "components", component.Value)
		}
	}
	return yaml.Marshal(fields)
}

// Changes reports whether there is anything to edit.
func (k Kustomization) Changes() bool {
	return k.NamePrefix.Value+k.NameSuffix.Value+k.Namespace.Value != "" ||
		len(k.Labels)+len(k.Annotations)+len(k.Images)+len(k.Replicas)+len(k.Patches)+len(k.Components) > 0
}

// mark adds labels and annotations. As in kustomize, an existing one is an error unless it is forced.
func (k Kustomization) mark(fields map[string]any) error {
	if k.LabelsWithoutSelectors && len(k.Labels) > 0 {
		pairs := map[string]any{}
		for _, label := range k.Labels {
			pairs[label.Key] = label.Value.Value
		}
		add(fields, "labels", map[string]any{"pairs": pairs, "includeSelectors": false, "includeTemplates": k.LabelsInTemplates})
	} else if err := mark(fields, "commonLabels", k.Labels, k.ForceLabels); err != nil {
		return err
	}
	return mark(fields, "commonAnnotations", k.Annotations, k.ForceAnnotations)
}

func mark(fields map[string]any, key string, entries []view.Entry, force bool) error {
	if len(entries) == 0 {
		return nil
	}
	marks, _ := fields[key].(map[string]any)
	if marks == nil {
		marks = map[string]any{}
	}
	for _, entry := range entries {
		if _, there := marks[entry.Key]; there && !force {
			return fmt.Errorf("%s already has %s, and the application does not set force", key, entry.Key)
		}
		marks[entry.Key] = entry.Value.Value
	}
	fields[key] = marks
	return nil
}

func add(fields map[string]any, key string, item any) {
	list, _ := fields[key].([]any)
	fields[key] = append(list, item)
}

// setNamed changes the item of a list that has a name, or adds one.
func setNamed(fields map[string]any, key, name string, values map[string]any) {
	list, _ := fields[key].([]any)
	i := slices.IndexFunc(list, func(item any) bool {
		item, _ = item.(map[string]any)["name"]
		return item == name
	})
	if i < 0 {
		values["name"] = name
		add(fields, key, values)
		return
	}
	item := list[i].(map[string]any)
	_, tags := values["newTag"]
	_, digests := values["digest"]
	if tags || digests { // each of them replaces both
		delete(item, "newTag")
		delete(item, "digest")
	}
	for key, value := range values {
		item[key] = value
	}
}

func (i Image) fields() map[string]any {
	fields := map[string]any{}
	for key, value := range map[string]string{"newName": i.NewName, "newTag": i.NewTag, "digest": i.Digest} {
		if value != "" {
			fields[key] = value
		}
	}
	return fields
}

func (p Patch) fields() map[string]any {
	fields := map[string]any{}
	for key, text := range map[string]string{"patch": p.Patch.Value, "path": p.Path.Value} {
		if text != "" {
			fields[key] = text
		}
	}
	for key, mapping := range map[string]map[string]any{"target": p.Target, "options": p.Options} {
		if mapping != nil {
			fields[key] = mapping
		}
	}
	return fields
}

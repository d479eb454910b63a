package objects

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// fieldUse is the effect of a kustomization's field on the files that it lists.
type fieldUse int

const (
	// noEffect fields change no object by themselves.
	noEffect fieldUse = iota
	// lists name files and folders whose objects are applied.
	lists
	// transforms change objects, or add objects that no file contains.
	transforms
)

// kustomizationFields are the fields of kustomize.config.k8s.io/v1beta1 and v1alpha1, including retired ones. A field that
// is missing here counts as one that transforms.
var kustomizationFields = map[string]fieldUse{
	"apiVersion": noEffect,
	"kind":       noEffect,
	"metadata":   noEffect,

	"resources": lists,
	"bases":     lists,

	"generatorOptions": noEffect, // for the generators, which are counted separately
	"sortOptions":      noEffect,
	"openapi":          noEffect, // controls how patches merge; patches are counted separately
	"crds":             noEffect, // defines where custom resources contain names, for the fields that change names
	"helmGlobals":      noEffect, // defines where charts are; helmCharts is counted separately

	"commonLabels":                transforms,
	"labels":                      transforms,
	"commonAnnotations":           transforms,
	"images":                      transforms,
	"imageTags":                   transforms,
	"replicas":                    transforms,
	"configMapGenerator":          transforms,
	"secretGenerator":             transforms,
	"buildMetadata":               transforms,
	"namePrefix":                  transforms,
	"nameSuffix":                  transforms,
	"namespace":                   transforms,
	"patches":                     transforms,
	"patchesStrategicMerge":       transforms,
	"patchesJson6902":             transforms,
	"components":                  transforms, // a component lists objects, and can change those of others in all of these ways
	"replacements":                transforms,
	"vars":                        transforms,
	"transformers":                transforms,
	"configurations":              transforms,
	"generators":                  transforms,
	"validators":                  transforms, // the build fails or changes depending on a program that is not checked
	"helmCharts":                  transforms,
	"helmChartInflationGenerator": transforms,
}

// KustomizationField returns kustomize's name for the key of a field: kustomize ignores case. An unknown field keeps its name.
func KustomizationField(key string) string {
	if _, known := kustomizationFields[key]; known {
		return key
	}
	for name := range kustomizationFields {
		if strings.EqualFold(name, key) {
			return name
		}
	}
	return key
}

// anyCase returns the value of a key in any case, or nil.
func anyCase(n *manifest.Node, key string) *manifest.Node {
	if value := n.Get(key); value != nil || !n.IsMapping() {
		return value
	}
	for _, field := range n.Fields() {
		if strings.EqualFold(field.Key.String(), key) {
			return field.Value
		}
	}
	return nil
}

// fileFields defines where the fields that are not lists of objects name files: the items themselves (""), or these keys of
// the items or of the single mapping.
var fileFields = map[string][]string{
	"patches":                     {"path"},
	"patchesStrategicMerge":       {""},
	"patchesJson6902":             {"path"},
	"replacements":                {"path"},
	"transformers":                {""},
	"generators":                  {""},
	"validators":                  {""},
	"configurations":              {""},
	"openapi":                     {"path"},
	"helmCharts":                  {"valuesFile", "additionalValuesFiles"},
	"helmChartInflationGenerator": {"values", "valuesFile"},
	"configMapGenerator":          {generatorFiles, "envs", "env"},
	"secretGenerator":             {generatorFiles, "envs", "env"},
	"crds":                        {""},
}

// generatorFiles is the key of a generator whose items can set a key for the file: key=path.
const generatorFiles = "files"

// contentFields use the text of a file. The file can be applied as well, by hand or by another kustomization.
var contentFields = map[string]bool{"configMapGenerator": true, "secretGenerator": true, "crds": true}

// claim records the files that a field names. The entries of most of these fields can contain the text itself instead of a
// file's name: a text of several lines is not a name.
func (k *Kustomization) claim(field string, written manifest.Field) {
	value := written.Value
	keys := fileFields[field]
	if len(keys) == 0 {
		return
	}
	entries := Items(value)
	if value.IsMapping() {
		entries = []*manifest.Node{value}
	}
	for i, entry := range entries {
		path := manifest.Path{written.Key.String()}
		if value.IsSequence() {
			path = path.Join(strconv.Itoa(i))
		}
		for _, key := range keys {
			k.claimEntry(field, path, entry, key)
		}
	}
}

func (k *Kustomization) claimEntry(field string, path manifest.Path, entry *manifest.Node, key string) {
	named := entry
	if key != "" {
		named = anyCase(entry, key)
	}
	names := append(Items(named), named)
	for _, n := range names {
		name := n.String()
		if _, file, ok := strings.Cut(name, "="); ok && key == generatorFiles {
			name = file
		}
		if name != "" && !strings.Contains(name, "\n") {
			k.NonObjectInputs = append(k.NonObjectInputs, NonObjectInput{k.resolve(name), field, path, k.Position(n)})
		}
	}
}

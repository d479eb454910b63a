package objects

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// fieldUse is what a field of a kustomization means to someone who reads the files it lists.
type fieldUse int

const (
	// harmless fields leave names, and the objects of the kinds salint judges, as their files have them.
	harmless fieldUse = iota
	// lists name files and folders whose objects are applied.
	lists
	// transforms change names or objects, or bring in objects that no file shows.
	transforms
)

// kustomizationFields are the fields of kustomize.config.k8s.io/v1beta1 and v1alpha1, retired ones included. A field
// that is missing here counts as one that transforms.
var kustomizationFields = map[string]fieldUse{
	"apiVersion": harmless,
	"kind":       harmless,
	"metadata":   harmless,

	"resources": lists,
	"bases":     lists,

	// commonLabels also reaches into selectors and pod templates, where it adds labels and nothing else.
	"commonLabels":       harmless,
	"labels":             harmless, // unless it brings its own paths: labelsReachFurther
	"commonAnnotations":  harmless,
	"images":             harmless,
	"imageTags":          harmless,
	"replicas":           harmless,
	"generatorOptions":   harmless,
	"configMapGenerator": harmless,
	"secretGenerator":    harmless,
	"buildMetadata":      harmless,
	"sortOptions":        harmless,
	"openapi":            harmless, // it says how patches merge; patches are counted themselves
	"crds":               harmless, // it says where custom resources hold names, for the fields that change names
	"helmGlobals":        harmless, // it says where charts are; helmCharts is counted itself

	"namePrefix":                  transforms,
	"nameSuffix":                  transforms,
	"namespace":                   transforms,
	"patches":                     transforms,
	"patchesStrategicMerge":       transforms,
	"patchesJson6902":             transforms,
	"components":                  transforms, // a component lists objects, and may do all of this to those of others
	"replacements":                transforms,
	"vars":                        transforms,
	"transformers":                transforms,
	"configurations":              transforms,
	"generators":                  transforms,
	"validators":                  transforms, // the build fails or changes with a program that is not looked at
	"helmCharts":                  transforms,
	"helmChartInflationGenerator": transforms,
}

// fieldName is the name that kustomize takes the key of a field for: it does not tell capital letters from small ones. A field
// that it does not know keeps its name.
func fieldName(key string) string {
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

// anyCase gives the value of a key, in whatever letters it is written; nil without one.
func anyCase(n *manifest.Node, key string) *manifest.Node {
	if value := n.Get(key); value != nil || !n.IsMapping() {
		return value
	}
	for _, field := range n.Fields {
		if strings.EqualFold(field.Key.String(), key) {
			return field.Value
		}
	}
	return nil
}

// labelsReachFurther tells whether `labels` adds paths of its own (fields), which may lie anywhere in an object.
func labelsReachFurther(value *manifest.Node) bool {
	for _, label := range items(value) {
		if !isEmpty(anyCase(label, "fields")) {
			return true
		}
	}
	return false
}

// fileFields says where the fields that are not lists of objects name files: the items themselves (""), or these keys
// of the items or of the one mapping.
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

// generatorFiles is the key of a generator whose items may give the file a key of its own: key=path.
const generatorFiles = "files"

// contentFields take the text of a file for something of their own. That says nothing about whether the file is applied
// as well, by hand or by another kustomization.
var contentFields = map[string]bool{"configMapGenerator": true, "secretGenerator": true, "crds": true}

// claim notes the files that a field names. The entries of most of these fields may be the text itself in place of a
// file's name: a text of several lines is not one.
func (k *Kustomization) claim(field string, written manifest.Field) {
	value := written.Value
	keys := fileFields[field]
	if len(keys) == 0 {
		return
	}
	entries := items(value)
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
	names := append(items(named), named)
	for _, n := range names {
		name := n.String()
		if _, file, ok := strings.Cut(name, "="); ok && key == generatorFiles {
			name = file
		}
		if name != "" && !strings.Contains(name, "\n") {
			k.NonObjectInputs = append(k.NonObjectInputs, NonObjectInput{k.resolve(name), field, path, k.position(n)})
		}
	}
}

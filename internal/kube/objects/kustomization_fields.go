package objects

import (
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// fieldUse is the effect of a kustomization's field on the files that it lists.
type fieldUse int

const (
	// noEffect fields do not change names, or objects of the kinds that salint checks.
	noEffect fieldUse = iota
	// lists name files and folders whose objects are applied.
	lists
	// transforms change names or objects, or add objects that no file contains.
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

	// also changes selectors and pod templates, where it only adds labels; Unit.LabelsPermissions reports labels with an effect
	"commonLabels":       noEffect,
	"labels":             noEffect, // the same, unless it adds its own paths: labelsAddPaths
	"commonAnnotations":  noEffect,
	"images":             noEffect, // unless it may change operator-controller's image: changesController
	"imageTags":          noEffect,
	"replicas":           noEffect,
	"generatorOptions":   noEffect,
	"configMapGenerator": noEffect,
	"secretGenerator":    noEffect,
	"buildMetadata":      noEffect,
	"sortOptions":        noEffect,
	"openapi":            noEffect, // controls how patches merge; patches are counted separately
	"crds":               noEffect, // defines where custom resources contain names, for the fields that change names
	"helmGlobals":        noEffect, // defines where charts are; helmCharts is counted separately

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

// labelsAddPaths reports whether `labels` adds its own paths (fields), which can be anywhere in an object.
func labelsAddPaths(value *manifest.Node) bool {
	for _, label := range Items(value) {
		if !isEmpty(anyCase(label, "fields")) {
			return true
		}
	}
	return false
}

// changesController reports whether `images` or its retired form may change the image of operator-controller, whose tag names
// the target of a unit.
func changesController(name string, value *manifest.Node) bool {
	if name != "images" && name != "imageTags" {
		return false
	}
	return slices.ContainsFunc(Items(value), func(image *manifest.Node) bool {
		return ChangesController(anyCase(image, "name").String(), anyCase(image, "newName").String())
	})
}

// ChangesController reports whether an image change of a kustomization may apply to operator-controller's image, or make an image
// operator-controller's. Vendors put words around the name, and kustomize reads the old name as a regular expression.
func ChangesController(name, newName string) bool {
	const controller = "operator-controller"
	return strings.Contains(name, controller) || strings.Contains(newName, controller) || strings.ContainsAny(name, `*+?[]()|\^$`)
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
			k.NonObjectInputs = append(k.NonObjectInputs, NonObjectInput{k.resolve(name), field, path, k.position(n)})
		}
	}
}

package gitops

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// form is the template of an application.
type appTemplate struct {
	object *objects.Object
	value  map[string]any
	spec   view
	// own is where the generator's own template stands, whose fields win over those of the ApplicationSet.
	overrides view
}

// newForm puts together the template of a generator and that of the whole set, which fills in what the former leaves empty.
func newAppTemplate(o *objects.Object, own view) appTemplate {
	spec := viewOf(o).get("spec")
	base, _ := spec.get("template").value.(map[string]any)
	value, _ := own.value.(map[string]any)
	return appTemplate{o, withDefaults(value, base), spec, own}
}

// filledUp gives a template with the fields of another one where it has none, or an empty one. Helm's valuesObject is taken
// as a whole, for in Argo CD it is one text.
func withDefaults(value, base map[string]any) map[string]any {
	merged := maps.Clone(base)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, own := range value {
		fields, isMap := own.(map[string]any)
		below, both := base[key].(map[string]any)
		switch {
		case isMap && both && key != "valuesObject":
			merged[key] = withDefaults(fields, below)
		case !empty(own):
			merged[key] = own
		}
	}
	return merged
}

func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case bool:
		return !value
	case int64:
		return value == 0
	case float64:
		return value == 0
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// place finds where a field of the template is written.
func (f appTemplate) locate(patched map[string]any) func(manifest.Path) Place {
	return func(path manifest.Path) Place {
		switch {
		case len(path) > 0 && !empty(valueAt(patched, path)):
			return f.spec.get("templatePatch").at()
		case len(path) > 0 && !empty(valueAt(f.overrides.value, path)):
			return Place{f.object, f.overrides.path.Join(path...)}
		}
		return Place{f.object, f.spec.path.Join("template").Join(path...)}
	}
}

// valueAt follows a path through mappings and lists.
func valueAt(value any, path manifest.Path) any {
	for _, step := range path {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}

// patch fills in the patch of the template; nil where there is none. Argo CD lets no patch change the project.
func (f appTemplate) patch(engine template.Engine, set params) (map[string]any, error) {
	text := f.spec.get("templatePatch").string()
	if text == "" {
		return nil, nil
	}
	text, err := engine.Fill(text, set)
	if err != nil {
		return nil, err
	}
	var patch map[string]any
	if err := yaml.Unmarshal([]byte(text), &patch); err != nil {
		return nil, fmt.Errorf("templatePatch is no YAML: %w", err)
	}
	if directive(patch) {
		return nil, errors.New("templatePatch has directives, such as $patch, which are not followed")
	}
	if spec, isMap := patch["spec"].(map[string]any); isMap {
		delete(spec, "project")
	}
	return patch, nil
}

// directive tells whether a patch has a key such as $patch or $setElementOrder.
func directive(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, directive)
	case map[string]any:
		for key, child := range value {
			if strings.HasPrefix(key, "$") || directive(child) {
				return true
			}
		}
	}
	return false
}

// patchedBy merges a patch into an object, in which null takes a field away. The lists of an Application are replaced.
func applyPatch(object, patch map[string]any) map[string]any {
	out := maps.Clone(object)
	for key, value := range patch {
		fields, isMap := value.(map[string]any)
		below, both := out[key].(map[string]any)
		switch {
		case value == nil:
			delete(out, key)
		case isMap:
			if !both {
				below = map[string]any{}
			}
			out[key] = applyPatch(below, fields)
		default:
			out[key] = value
		}
	}
	return out
}

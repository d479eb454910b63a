package gitops

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/generators"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// appTemplate is the template of an application.
type appTemplate struct {
	object *objects.Object
	value  map[string]any
	spec   view.View
	// overrides is the generator's own template, whose fields take precedence over those of the ApplicationSet.
	overrides view.View
}

// newAppTemplate combines the template of a generator with that of the ApplicationSet, which sets the fields that the
// former leaves empty.
func newAppTemplate(o *objects.Object, own view.View) appTemplate {
	spec := view.Of(o).Get("spec")
	base, _ := spec.Get("template").Value.(map[string]any)
	value, _ := own.Value.(map[string]any)
	return appTemplate{o, withDefaults(value, base), spec, own}
}

// withDefaults returns a template with the fields of base where it has none, or an empty one. Helm's valuesObject is not
// merged, because it is a single string in Argo CD.
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

// locate returns a function that locates fields of the template.
func (f appTemplate) locate(patched map[string]any) func(manifest.Path) view.Location {
	return func(path manifest.Path) view.Location {
		switch {
		case len(path) > 0 && !empty(path.In(patched)):
			return f.spec.Get("templatePatch").At()
		case len(path) > 0 && !empty(path.In(f.overrides.Value)):
			return view.Location{Object: f.object, Path: f.overrides.Path.Join(path...)}
		}
		return view.Location{Object: f.object, Path: f.spec.Path.Join("template").Join(path...)}
	}
}

// patch fills in the patch of the template; nil if there is none. Argo CD ignores changes of the project.
func (f appTemplate) patch(engine template.Engine, set generators.Params) (map[string]any, error) {
	text := f.spec.Get("templatePatch").String()
	if text == "" {
		return nil, nil
	}
	text, err := engine.Fill(text, set)
	if err != nil {
		return nil, err
	}
	var patch map[string]any
	if err := yaml.Unmarshal([]byte(text), &patch); err != nil {
		return nil, fmt.Errorf("templatePatch is not valid YAML: %w", err)
	}
	if directive(patch) {
		return nil, &template.UnsupportedError{Message: "templatePatch has directives such as $patch, which salint does not support"}
	}
	if spec, isMap := patch["spec"].(map[string]any); isMap {
		delete(spec, "project")
	}
	return patch, nil
}

// directive reports whether a patch has a key such as $patch or $setElementOrder.
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

package gitops

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dario.cat/mergo"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/gitops/template"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// params are what one application of an ApplicationSet is made with.
type params = map[string]any

// applicationSet makes the applications of an ApplicationSet, as its controller does.
func (r *reader) applicationSet(o *inventory.Object) {
	v := viewOf(o)
	spec := v.get("spec")
	g := &generator{reader: r, engine: template.Engine{Go: spec.get("goTemplate").bool().Value, Budget: r.budget}}
	for _, option := range spec.get("goTemplateOptions").texts() {
		g.engine.Options = append(g.engine.Options, option.Value)
	}
	instance := 0
	for _, item := range spec.get("generators").items() {
		for _, kind := range generatorKinds(item) {
			sets, err := g.run(item, kind, nil, 0)
			if err != nil {
				r.skipGenerator(item.get(kind), err)
				continue
			}
			instance = r.generateAll(newForm(o, item.get(kind, "template")), g.engine, sets, instance)
		}
	}
}

// generateAll makes an application for each set of parameters. Of those that cannot be made, the first is reported.
func (r *reader) generateAll(f form, engine template.Engine, sets []params, instance int) (next int) {
	var first error
	failed := 0
	for _, set := range sets {
		if err := r.generate(f, engine, set, instance); err != nil {
			failed++
			first = cmp.Or(first, fmt.Errorf("the application for %s is not known: %w", describe(set), err))
		}
		instance++
	}
	switch {
	case failed == 1:
		r.skip(f.spec.get("template").at(), "%v", first)
	case failed > 1:
		r.skip(f.spec.get("template").at(), "%v (and %d more)", first, failed-1)
	}
	return instance
}

// notRun says why a generator was not run, and where.
type notRun struct {
	at      Place
	message string
}

func (e *notRun) Error() string { return e.message }

func refuse(at Place, format string, args ...any) error {
	return &notRun{at, fmt.Sprintf(format, args...)}
}

func (r *reader) skipGenerator(v view, err error) {
	at := v.at()
	var refused *notRun
	if errors.As(err, &refused) {
		at = refused.at
	}
	r.skip(at, "the applications of this generator are not known: %v", err)
}

// form is the template of an application.
type form struct {
	object *inventory.Object
	value  map[string]any
	spec   view
	// own is where the generator's own template stands, whose fields win over those of the ApplicationSet.
	own view
}

// newForm puts together the template of a generator and that of the whole set, which fills in what the former leaves empty.
func newForm(o *inventory.Object, own view) form {
	spec := viewOf(o).get("spec")
	base, _ := spec.get("template").value.(map[string]any)
	value, _ := own.value.(map[string]any)
	return form{o, filledUp(value, base), spec, own}
}

// filledUp gives a template with the fields of another one where it has none, or an empty one. Helm's valuesObject is taken
// as a whole, for in Argo CD it is one text.
func filledUp(value, base map[string]any) map[string]any {
	merged := maps.Clone(base)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, own := range value {
		fields, isMap := own.(map[string]any)
		below, both := base[key].(map[string]any)
		switch {
		case isMap && both && key != "valuesObject":
			merged[key] = filledUp(fields, below)
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
func (f form) place(patched map[string]any) func(manifest.Path) Place {
	return func(path manifest.Path) Place {
		switch {
		case len(path) > 0 && !empty(valueAt(patched, path)):
			return f.spec.get("templatePatch").at()
		case len(path) > 0 && !empty(valueAt(f.own.value, path)):
			return Place{f.object, f.own.path.Join(path...)}
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

var errTooMany = fmt.Errorf("stopped after %d applications", maxGenerated)

// generate makes one application. Without parameters Argo CD takes the template as it is.
func (r *reader) generate(f form, engine template.Engine, set params, instance int) error {
	if r.generated++; r.generated > maxGenerated {
		return errTooMany
	}
	value := any(f.value)
	if len(set) > 0 {
		var err error
		if value, err = filled(engine, f.value, set); err != nil {
			return err
		}
	}
	patch, err := f.patch(engine, set)
	if err != nil {
		return err
	}
	application := patchedBy(value.(map[string]any), patch)
	a := r.argoApplication(view{application, nil, f.place(patch)}, f.object, instance)
	a.Namespace = Field[string]{f.object.Namespace, Place{f.object, manifest.Path{"metadata", "namespace"}}}
	steps := f.spec.get("strategy", "rollingSync")
	a.Stepped = Field[bool]{steps.there(), steps.at()}
	return nil
}

// patch fills in the patch of the template; nil where there is none. Argo CD lets no patch change the project.
func (f form) patch(engine template.Engine, set params) (map[string]any, error) {
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
func patchedBy(object, patch map[string]any) map[string]any {
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
			out[key] = patchedBy(below, fields)
		default:
			out[key] = value
		}
	}
	return out
}

// filled fills in every text of a value, and the keys of its mappings.
func filled(engine template.Engine, value any, set params) (any, error) {
	switch value := value.(type) {
	case string:
		return engine.Fill(value, set)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			var err error
			if out[i], err = filled(engine, item, set); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			child, err := filled(engine, value[key], set)
			if err != nil {
				return nil, err
			}
			if key, err = engine.Fill(key, set); err != nil {
				return nil, err
			}
			out[key] = child
		}
		return out, nil
	}
	return value, nil
}

// describe says which parameters an application has, for messages: the shortest ones tell most.
func describe(set params) string {
	flat := flattened(set)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		if len(flat[key]) <= 40 && len(parts) < 3 {
			parts = append(parts, key+"="+flat[key])
		}
	}
	return strings.Join(parts, ", ")
}

// combined merges parameters over others, deeply, as mergo does, which Argo CD uses.
func combined(base, over params) (params, error) {
	out := params{}
	for _, set := range []params{base, over} {
		if err := mergo.Merge(&out, set, mergo.WithOverride); err != nil {
			return nil, err
		}
	}
	return out, nil
}

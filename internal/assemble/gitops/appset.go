package gitops

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// params are the parameters of one application of an ApplicationSet.
type params = map[string]any

// applicationSet generates the applications of an ApplicationSet, as its controller does.
func (r *reader) applicationSet(o *objects.Object) {
	v := viewOf(o)
	spec := v.get("spec")
	g := &generator{reader: r, engine: template.Engine{Go: spec.get("goTemplate").bool().Value, Budget: r.budget}}
	for _, option := range spec.get("goTemplateOptions").texts() {
		g.engine.Options = append(g.engine.Options, option.Value)
	}
	instance := 0
	for _, item := range spec.get("generators").items() {
		for _, kind := range generatorKinds(item) {
			form := newAppTemplate(o, item.get(kind, "template"))
			sets, err := g.run(item, kind, nil, 0)
			if err != nil {
				why := r.skipGenerator(item.get(kind), err)
				for _, set := range g.knownParameters(item, kind) {
					r.addUnresolvedSources(why, form, fillKnown(g.engine, set))
				}
				continue
			}
			instance = r.generateAll(form, g.engine, sets, instance)
		}
	}
}

// generateAll generates an application for each set of parameters. Only the first failure is reported.
func (r *reader) generateAll(f appTemplate, engine template.Engine, sets []params, instance int) (next int) {
	var first error
	failed := 0
	for _, set := range sets {
		if err := r.generate(f, engine, set, instance); err != nil {
			failed++
			err = fmt.Errorf("the application for %s is unknown: %w", describe(set), err)
			first = cmp.Or(first, err)
			r.addUnresolvedSources(Reason{Location: f.spec.get("template").at(), Message: err.Error()}, f, fillKnown(engine, set))
		}
		instance++
	}
	switch {
	case failed == 1:
		r.addNotChecked(f.spec.get("template").at(), "%v", first)
	case failed > 1:
		r.addNotChecked(f.spec.get("template").at(), "%v (and %d more)", first, failed-1)
	}
	return instance
}

// notRun is why and where a generator was not run.
type notRun struct {
	at      Location
	message string
}

func (e *notRun) Error() string { return e.message }

func refuse(at Location, format string, args ...any) error {
	return &notRun{at, fmt.Sprintf(format, args...)}
}

// skipGenerator records that a generator was not run, and returns the record.
func (r *reader) skipGenerator(v view, err error) Reason {
	at := v.at()
	var refused *notRun
	if errors.As(err, &refused) {
		at = refused.at
	}
	r.addNotChecked(at, "the applications of this generator are unknown: %v", err)
	return r.result.NotChecked[len(r.result.NotChecked)-1]
}

var errTooMany = fmt.Errorf("stopped after %d applications", maxGenerated)

// generate generates one application. Without parameters Argo CD uses the template unchanged.
func (r *reader) generate(f appTemplate, engine template.Engine, set params, instance int) error {
	if r.generated++; r.generated > maxGenerated {
		return errTooMany
	}
	value := any(f.value)
	if len(set) > 0 {
		var err error
		if value, err = fillAll(engine, f.value, set); err != nil {
			return err
		}
	}
	patch, err := f.patch(engine, set)
	if err != nil {
		return err
	}
	application := applyPatch(value.(map[string]any), patch)
	a := r.argoApplication(view{application, nil, f.locate(patch)}, f.object, instance)
	a.Namespace = Field[string]{f.object.Namespace, Location{f.object, manifest.Path{"metadata", "namespace"}}}
	steps := f.spec.get("strategy", "rollingSync")
	a.Stepped = Field[bool]{steps.there(), steps.at()}
	return nil
}

// fillAll fills in every string of a value, and the keys of its mappings.
func fillAll(engine template.Engine, value any, set params) (any, error) {
	switch value := value.(type) {
	case string:
		return engine.Fill(value, set)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			var err error
			if out[i], err = fillAll(engine, item, set); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			child, err := fillAll(engine, value[key], set)
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

// describe lists an application's parameters for messages, the shortest first, because those are the most specific.
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

package gitops

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/assemble/gitops/generators"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// applicationSet generates the applications of an ApplicationSet, as its controller does.
func (r *reader) applicationSet(o *objects.Object) {
	v := view.Of(o)
	spec := v.Get("spec")
	g := &generators.Generator{
		Engine: template.Engine{Go: spec.Get("goTemplate").Bool().Value, Budget: r.budget}, ExactGlobs: r.result.settings.exactGlobs,
		Foreign: r.judge.foreign, Files: r.files.Files(), Folders: r.files.shown,
	}
	if r.files.known() {
		g.Read = r.files.tree.ReadAtMost
	}
	for _, option := range spec.Get("goTemplateOptions").Texts() {
		g.Engine.Options = append(g.Engine.Options, option.Value)
	}
	instance := 0
	for _, item := range spec.Get("generators").Items() {
		for _, kind := range generators.Kinds(item) {
			form := newAppTemplate(o, item.Get(kind, "template"))
			sets, err := g.Run(item, kind)
			if err != nil {
				why := r.skipGenerator(item.Get(kind), err)
				for _, set := range g.Known(item, kind) {
					r.addUnresolvedSources(why, form, fillKnown(g.Engine, set))
				}
				continue
			}
			instance = r.generateAll(form, g.Engine, sets, instance)
		}
	}
}

// generateAll generates an application for each set of parameters. Only the first failure is reported.
func (r *reader) generateAll(f appTemplate, engine template.Engine, sets []generators.Params, instance int) (next int) {
	var first error
	failed := 0
	for _, set := range sets {
		if err := r.generate(f, engine, set, instance); err != nil {
			failed++
			err = fmt.Errorf("the application for %s is unknown: %w", generators.Describe(set), err)
			first = cmp.Or(first, err)
			r.addUnresolvedSources(Reason{Location: f.spec.Get("template").At(), Message: err.Error()}, f, fillKnown(engine, set))
		}
		instance++
	}
	switch {
	case failed == 1:
		r.addNotChecked(f.spec.Get("template").At(), "%v", first)
	case failed > 1:
		r.addNotChecked(f.spec.Get("template").At(), "%v (and %d more)", first, failed-1)
	}
	return instance
}

// skipGenerator records that a generator was not run, and returns the record.
func (r *reader) skipGenerator(v view.View, err error) Reason {
	at := v.At()
	var refused *generators.NotRunError
	if errors.As(err, &refused) {
		at = refused.At
	}
	r.addNotChecked(at, "the applications of this generator are unknown: %v", err)
	return r.result.NotChecked[len(r.result.NotChecked)-1]
}

var errTooMany = fmt.Errorf("stopped after %d applications", maxGenerated)

// generate generates one application. Without parameters Argo CD uses the template unchanged.
func (r *reader) generate(f appTemplate, engine template.Engine, set generators.Params, instance int) error {
	if r.generated++; r.generated > maxGenerated {
		return errTooMany
	}
	value := any(f.value)
	if len(set) > 0 {
		var err error
		if value, err = engine.FillAll(f.value, set); err != nil {
			return err
		}
	}
	patch, err := f.patch(engine, set)
	if err != nil {
		return err
	}
	a := r.argoApplication(view.View{Value: mergePatch(value, patch), Locate: f.locate(patch)}, f.object, instance)
	a.Namespace = view.Field[string]{Value: f.object.Namespace, Location: view.Location{Object: f.object, Path: manifest.Path{"metadata", "namespace"}}}
	steps := f.spec.Get("strategy", "rollingSync")
	a.Stepped = view.Field[bool]{Value: steps.There(), Location: steps.At()}
	return nil
}

package gitops

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/salint/salint/internal/assemble/gitops/generators"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/template"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// applicationSet generates the applications of an ApplicationSet, as its controller does: if one of them or a generator fails, it makes and changes none.
func (r *reader) applicationSet(o *objects.Object) {
	v := view.Of(o)
	spec := v.Get("spec")
	g := &generators.Generator{
		Engine: template.Engine{Go: spec.Get("goTemplate").Bool().Value, Budget: r.budget}, ExactGlobs: r.result.settings.exactGlobs,
		Find: func(address view.Field[string]) sources.Repository { return r.repositoryOf(address, o) }, Files: r.files.Files(), Folders: r.files.shown,
	}
	if r.files.known() {
		g.Read = r.files.tree.ReadAtMost
	}
	for _, option := range spec.Get("goTemplateOptions").Texts() {
		g.Engine.Options = append(g.Engine.Options, option.Value)
	}
	instance, first := 0, len(r.result.Applications)
	var failed *Reason
	for _, item := range spec.Get("generators").Items() {
		for _, kind := range generators.Kinds(item) {
			form := newAppTemplate(o, item.Get(kind, "template"))
			sets, err := g.Run(item, kind)
			if err != nil {
				why, fails := r.skipGenerator(item.Get(kind), err)
				if fails && failed == nil {
					failed = &why
				}
				for _, set := range g.Known(item, kind) {
					r.addUnresolvedSources(why, form, fillKnown(g.Engine, set))
				}
				continue
			}
			why := r.generateAll(form, g.Engine, sets, instance)
			failed, instance = cmp.Or(failed, why), instance+len(sets)
		}
	}
	for _, a := range r.result.Applications[first:] {
		if failed != nil {
			a.NotMade = failed
		}
	}
}

// generateAll generates an application for each set of parameters. Only the first failure is reported; it is returned if Argo CD fails as well.
func (r *reader) generateAll(f appTemplate, engine template.Engine, sets []generators.Params, instance int) (fails *Reason) {
	at := f.spec.Get("template").At()
	var first, certain error
	failed := 0
	for i, set := range sets {
		err := r.generate(f, engine, set, instance+i)
		if err == nil {
			continue
		}
		failed++
		own := template.IsOwn(err)
		err = fmt.Errorf("the application for %s is unknown: %w", generators.Describe(set), err)
		first = cmp.Or(first, err)
		if !own {
			certain = cmp.Or(certain, err)
		}
		r.addUnresolvedSources(Reason{Location: at, Message: err.Error()}, f, fillKnown(engine, set))
	}
	if first == nil {
		return nil
	}
	first = cmp.Or(certain, first)
	message := first.Error()
	if failed > 1 {
		message = fmt.Sprintf("%s (and %d more)", message, failed-1)
	}
	return r.failsSet(Reason{Location: at, Message: message}, certain != nil)
}

// failsSet records why something of an ApplicationSet is unknown. If Argo CD fails for this reason, it returns the reason.
func (r *reader) failsSet(why Reason, fails bool) *Reason {
	if fails {
		why.Message += ". Argo CD then makes and changes no application of the set"
	}
	r.result.NotChecked = append(r.result.NotChecked, why)
	if !fails {
		return nil
	}
	return &why
}

// skipGenerator records that a generator was not run, and returns the record, and whether Argo CD fails to run it.
func (r *reader) skipGenerator(v view.View, err error) (why Reason, fails bool) {
	why = Reason{Location: v.At(), Message: fmt.Sprintf("the applications of this generator are unknown: %v", err)}
	var refused *generators.NotRunError
	if errors.As(err, &refused) {
		why.Location, fails = refused.At, refused.Fails
	}
	r.failsSet(why, fails)
	return r.result.NotChecked[len(r.result.NotChecked)-1], fails
}

var errTooMany = &template.LimitError{Message: fmt.Sprintf("stopped after %d applications", maxGenerated)}

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

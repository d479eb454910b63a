package examples

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing/fstest"
	"time"

	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/metadata"
)

// exampleFile is the file name of an example's manifest.
const exampleFile = "example.yaml"

// exampleNow is the time at which examples are evaluated, so that their result does not change.
var exampleNow = time.Date(2026, time.January, 31, 12, 0, 0, 0, time.UTC)

// Check evaluates one rule on an example. It returns an error if the result differs from the METADATA.
func Check(ctx context.Context, e *evaluate.Evaluator, example metadata.Example) error {
	w, err := Context(example)
	if err != nil {
		return err
	}
	var problem string
	w.NotChecked = func(_ *objects.Object, reason string, _ []finding.Place) { problem = reason }
	reports, err := EvaluateUnit(ctx, e, w)
	if err != nil {
		return err
	}
	if problem != "" {
		return errors.New(problem)
	}
	var messages []string
	for _, r := range reports {
		messages = append(messages, r.Message)
	}
	return CheckMessages(example, messages)
}

// CheckMessages returns an error if a rule with findings of these messages differs from what the METADATA says of an example.
func CheckMessages(example metadata.Example, messages []string) error {
	switch {
	case example.Bad && len(messages) == 0:
		return errors.New("it is marked bad, but the rule reports nothing")
	case !example.Bad && len(messages) > 0:
		return fmt.Errorf("it is marked good, but the rule reports: %s", messages[0])
	}
	return nil
}

// EvaluateUnit evaluates all rules on all objects of a unit, and on the unit itself.
func EvaluateUnit(ctx context.Context, e *evaluate.Evaluator, w evalcontext.Context) ([]evaluate.Report, error) {
	var all []evaluate.Report
	for _, object := range append([]*objects.Object{nil}, w.Unit.Objects...) {
		reports, err := e.Evaluate(ctx, w, object)
		if err != nil {
			return nil, err
		}
		all = append(all, reports...)
	}
	return all, nil
}

// Context returns the context of a repository with one file.
func Context(example metadata.Example) (evalcontext.Context, error) {
	objs, err := objectsOf(example.Text)
	if err != nil {
		return evalcontext.Context{}, err
	}
	units := assembly.Units(objs, nil)
	if len(units) == 0 {
		return evalcontext.Context{}, errors.New("it contains no Kubernetes object")
	}
	target, given := olm.UnknownTarget(), example.Target != ""
	if given {
		if target, err = olm.ParseTarget(example.Target); err != nil {
			return evalcontext.Context{}, err
		}
	}
	w := evalcontext.Context{
		Unit: units[0], Units: units, Target: target, TargetAsked: given, TargetKnown: given, Now: exampleNow,
		Signals: signalsOf(objs), Mentions: mentionsIn([]byte(example.Text)), Bundles: exampleBundles(example, objs), Delivery: exampleDelivery(objs, units),
	}
	if example.Base != "" && example.Bundle == "" {
		before, err := objectsOf(example.Base)
		if err != nil {
			return evalcontext.Context{}, err
		}
		w.Former.Of = formerIn(before)
	}
	w.Installer = func(unit *objects.Unit, o *objects.Object) (*installer.Installer, error) {
		extension, _ := olm.ReadExtension(o.Node)
		resolved := loader.ResolvedTarget{Target: target, Known: given, Signals: w.Signals}
		return installer.Of(loader.Extension{Extension: extension, Object: o, Unit: unit, Resolved: resolved}, units)
	}
	return w, nil
}

func objectsOf(text string) ([]*objects.Object, error) {
	var objs []*objects.Object
	for _, doc := range manifest.Scan(exampleFile, []byte(text)).Docs {
		if err := doc.Parse(); err != nil {
			return nil, err
		}
		objs = append(objs, objects.Objects(doc)...)
	}
	return objs, nil
}

// formerIn finds the former state of objects by kind, namespace, and name.
func formerIn(before []*objects.Object) func(*objects.Unit, *objects.Object) (*objects.Object, *objects.Object) {
	return func(_ *objects.Unit, now *objects.Object) (*objects.Object, *objects.Object) {
		for _, o := range before {
			if o.Group == now.Group && o.Kind == now.Kind && o.Namespace == now.Namespace && o.Name == now.Name {
				return now, o
			}
		}
		return nil, nil
	}
}

// exampleDelivery returns the delivery of an example, in which an application of Argo CD or Flux applies the objects of its
// namespace, or of its destination.
func exampleDelivery(objs []*objects.Object, units []*objects.Unit) *delivery.Delivery {
	result := gitops.Read(objs, gitops.Options{})
	appliedBy := map[*objects.Unit][]*gitops.Application{}
	byNamespace := map[string][]*objects.Object{}
	for _, o := range objs {
		byNamespace[o.Namespace] = append(byNamespace[o.Namespace], o)
	}
	all := slices.Clone(units)
	for _, a := range result.Applications {
		applied := &objects.Unit{Name: a.Name.Value, Kind: objects.ApplicationUnit, Objects: byNamespace[cmp.Or(a.Target.Value, a.Namespace.Value)]}
		appliedBy[applied] = []*gitops.Application{a}
		all = append(all, applied)
	}
	return delivery.New(all, result, func(u *objects.Unit) []*gitops.Application { return appliedBy[u] })
}

// exampleBundle is the folder of an example's bundle.
const exampleBundle = "bundle"

// exampleBundles returns the bundle of an example for every extension in it.
func exampleBundles(example metadata.Example, objects []*objects.Object) *bundles.Library {
	library := &bundles.Library{}
	if example.Bundle == "" {
		return library
	}
	sources := map[string]bundles.Source{}
	for _, o := range objects {
		sources[o.Name] = bundles.Source{Dir: exampleBundle, Place: exampleFile}
	}
	at := func(text string) bundles.Revision {
		// The standard library's only file system in memory is among its testing tools.
		files := fstest.MapFS{exampleBundle + "/manifests/all.yaml": {Data: []byte(text)}}
		return bundles.Revision{Files: files, Sources: sources}
	}
	library.Revision = at(example.Bundle)
	if example.Base != "" {
		library.Base = func(context.Context) (bundles.Revision, error) { return at(example.Base), nil }
	}
	return library
}

func signalsOf(objects []*objects.Object) []olm.Signal {
	var signals []olm.Signal
	for _, o := range objects {
		for _, signal := range olm.ReadSignals(o.Node) {
			signal.Ref = o.Ref()
			signals = append(signals, signal)
		}
	}
	return signals
}

func mentionsIn(text []byte) func(context.Context, objects.Account, *objects.Object) ([]uses.Place, error) {
	files := iter.Seq2[string, []byte](func(yield func(string, []byte) bool) { yield(exampleFile, text) })
	return func(ctx context.Context, account objects.Account, _ *objects.Object) ([]uses.Place, error) {
		found, err := uses.Find(ctx, files, []string{account.Name})
		return found[account.Name], err
	}
}

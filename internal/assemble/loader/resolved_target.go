package loader

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/cluster"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// ResolvedTarget is the target of an object, and how it was determined.
type ResolvedTarget struct {
	Target olm.Target
	// Asked is true if the user requests the target, Known if it was requested or detected.
	Asked, Known bool
	// DetectedFrom is the place of the deciding signal, as file:line.
	DetectedFrom string
	Signals      []olm.Signal
	// Synthetic is the state of the feature gate for synthetic identities.
	Synthetic olm.GateState
	// Scope is the file whose path selects the target in the configuration.
	Scope string
}

// Targets resolves the targets of objects. A target belongs to a unit. In the plain unit, which can hold several clusters, it
// belongs to the objects that are nearest to its signals. Several goroutines can use it.
type Targets struct {
	asked    func(file string) (olm.Target, bool)
	clusters func() *cluster.Clusters // nil if they are not known
	scripts  func() map[string][]olm.Signal
	text     func(file string) ([]byte, error) // of patches; nil if it is not known

	mu    sync.Mutex
	units map[*objects.Unit]*unitSigns
	// parts are the objects of clusters that have signals.
	parts map[*cluster.Cluster]*objects.Unit
}

// unitSigns are the signals of a unit.
type unitSigns struct {
	objects    []*objects.Object
	neighbours *objects.FolderIndex
	of         map[*objects.Object][]olm.Signal
	resolved   map[string]olm.Resolution // by the objects that decide
	// fetched are the signals of what the kustomizations fetch. They belong to the whole unit.
	fetched []olm.Signal
}

// NewTargets takes the function that returns the target that the user requests for a file. Where it is nil or returns false, the
// target is detected.
func NewTargets(asked func(file string) (target olm.Target, ok bool)) *Targets {
	if asked == nil {
		asked = func(string) (olm.Target, bool) { return olm.Target{}, false }
	}
	return &Targets{asked: asked, units: map[*objects.Unit]*unitSigns{}, parts: map[*cluster.Cluster]*objects.Unit{}}
}

// In returns targets that also have the signals of the clusters of a unit, see [Targets.Of].
func (t *Targets) In(clusters func() *cluster.Clusters) *Targets {
	all := NewTargets(t.asked)
	all.clusters, all.scripts, all.text = clusters, t.scripts, t.text
	return all
}

// WithScripts returns targets that also have the signals of [ScriptSignals], where no manifest has one.
func (t *Targets) WithScripts(scripts func() map[string][]olm.Signal) *Targets {
	all := NewTargets(t.asked)
	all.clusters, all.scripts, all.text = t.clusters, scripts, t.text
	return all
}

// WithPatches returns targets that also have the signals of the files with patches, which text returns.
func (t *Targets) WithPatches(text func(file string) ([]byte, error)) *Targets {
	all := NewTargets(t.asked)
	all.clusters, all.scripts, all.text = t.clusters, t.scripts, text
	return all
}

// Of returns the target of an object in a unit. Without a request and without any signal the target is unknown, and Known is false.
//
// A unit that others replace has the target of these, because nothing else is known about the clusters to which it could be applied.
//
// What an object holds has the signals beside it. Without any, it has the target of that object if it goes to the same cluster.
//
// A unit without signals has those of the other units of its cluster; of several clusters, the most cautious target.
func (t *Targets) Of(unit *objects.Unit, object *objects.Object) ResolvedTarget {
	if unit.Replaced() {
		return t.ofReplacements(unit.AppliedBy().Replacements, object)
	}
	signals, resolution := t.resolve(unit, object)
	if unit.Kind == objects.EmbeddedUnit && len(signals) == 0 && unit.SameCluster() {
		return t.Of(unit.Parent, unit.Outer)
	}
	scope := scopeFile(unit, object)
	if len(signals) > 0 {
		return t.resolved(scope, unit, signals, resolution)
	}
	if unit.Kind == objects.PlainUnit {
		signals = t.scripted(unit, object)
		return t.resolved(scope, unit, signals, olm.Resolve(signals))
	}
	var all []ResolvedTarget
	for _, part := range t.partsOf(unit) {
		signals, resolution := t.resolve(part, object)
		all = append(all, t.resolved(scope, part, signals, resolution))
	}
	if len(all) == 0 {
		signals = t.scripted(unit, object)
		return t.resolved(scope, unit, signals, olm.Resolve(signals))
	}
	return mostCautious(all)
}

// resolved returns the target for the signals of a unit, unless the user requests another one for the file.
func (t *Targets) resolved(scope string, unit *objects.Unit, signals []olm.Signal, resolution olm.Resolution) ResolvedTarget {
	v := ResolvedTarget{Signals: signals, Synthetic: resolution.Synthetic, Scope: scope}
	if target, asked := t.asked(v.Scope); asked {
		v.Target, v.Asked, v.Known = target, true, true
		return v
	}
	if resolution.Known {
		v.Target, v.Known = resolution.Target, true
		v.DetectedFrom = placeOf(unit, resolution.Signal)
		return v
	}
	v.Target = olm.UnknownTarget()
	return v
}

// partsOf returns for each cluster that gets a unit and others the objects that have signals.
func (t *Targets) partsOf(unit *objects.Unit) []*objects.Unit {
	if t.clusters == nil {
		return nil
	}
	all := t.clusters()
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []*objects.Unit
	for _, of := range all.Of(unit) {
		part, known := t.parts[of]
		if !known {
			for _, member := range of.Units {
				if member.Pending() && mayHaveSignals(member) {
					member.Applied()
				}
			}
			part, _ = all.Part(of, func(o *objects.Object) bool { return olm.MayHaveSignals(o.Kind) })
			t.parts[of] = part
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

// mayHaveSignals reports whether a unit that is not built yet may have signals, by the words in its files.
func mayHaveSignals(u *objects.Unit) bool {
	for kind, words := range olm.SignalKinds() {
		if u.MayHold(objects.Query{Kind: kind}) && u.Mentions(words...) {
			return true
		}
	}
	return false
}

// cautious are the models in the order in which one of several applies: a fix for it is right for all of them, or is refused.
var cautious = []olm.Model{olm.Unknown, olm.Required, olm.Synthetic, olm.Ignored, olm.Removed}

// ofReplacements returns the most cautious target of the units that replace one.
func (t *Targets) ofReplacements(units []*objects.Unit, object *objects.Object) ResolvedTarget {
	var all []ResolvedTarget
	for _, u := range units {
		all = append(all, t.Of(u, object))
	}
	return mostCautious(all)
}

func mostCautious(all []ResolvedTarget) ResolvedTarget {
	return slices.MinFunc(all, func(a, b ResolvedTarget) int {
		return slices.Index(cautious, a.Target.Model) - slices.Index(cautious, b.Target.Model)
	})
}

// scopeFile returns the file whose path selects the target in the configuration: the kustomization, the application or the chart
// that applies the object, or the file of the object in the plain unit.
func scopeFile(unit *objects.Unit, object *objects.Object) string {
	if parts := unit.PartsWith(object); len(parts) > 0 {
		unit = parts[0]
	}
	unit = unit.AppliedBy()
	if unit.Kind == objects.KustomizationUnit && len(unit.Kustomizations) > 0 {
		return unit.Kustomizations[0].Path
	}
	if unit.Kind == objects.ApplicationUnit && len(unit.Appliers) > 0 {
		return unit.Appliers[0].Object.File
	}
	if unit.Kind == objects.ChartUnit {
		return path.Join(unit.Root, "Chart.yaml")
	}
	return object.File
}

// resolve weighs the signals that apply to an object.
func (t *Targets) resolve(unit *objects.Unit, object *objects.Object) ([]olm.Signal, olm.Resolution) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.units[unit]
	if all == nil {
		all = readUnitSigns(unit, t.text)
		t.units[unit] = all
	}
	objs := all.objects
	if unit.Kind == objects.PlainUnit && len(objs) > 1 {
		objs = all.neighbours.Nearest(object)
	}
	var key strings.Builder
	var signals []olm.Signal
	for _, o := range objs {
		key.WriteString(o.Ref() + "\x00")
		signals = append(signals, all.of[o]...)
	}
	signals = olm.InFeatureSet(append(signals, all.fetched...))
	resolution, done := all.resolved[key.String()]
	if !done {
		resolution = olm.Resolve(signals)
		all.resolved[key.String()] = resolution
	}
	return signals, resolution
}

func readUnitSigns(unit *objects.Unit, text func(string) ([]byte, error)) *unitSigns {
	all := &unitSigns{of: map[*objects.Object][]olm.Signal{}, resolved: map[string]olm.Resolution{}}
	for _, o := range unit.Objects {
		if olm.MayHaveSignals(o.Kind) {
			all.add(o, olm.ReadSignals(o.Node))
		}
	}
	all.addFlux(unit)
	all.neighbours = objects.NewFolderIndex(all.objects)
	for _, part := range unit.Parts() {
		for _, k := range part.Kustomizations {
			all.fetched = append(all.fetched, fetchedBy(k)...)
			all.fetched = append(all.fetched, patchedBy(k, text)...)
		}
	}
	if all.showImage() { // patches are applied to it
		all.fetched = slices.DeleteFunc(all.fetched, func(s olm.Signal) bool { return s.Kind == olm.ImageSignal })
	}
	return all
}

// add adds the signals of an object.
func (s *unitSigns) add(o *objects.Object, signals []olm.Signal) {
	if len(signals) == 0 {
		return
	}
	for i := range signals {
		signals[i].Ref = o.Ref()
	}
	if s.of[o] == nil {
		s.objects = append(s.objects, o)
	}
	s.of[o] = append(s.of[o], signals...)
}

// addFlux adds the signals of what Flux applies from the repository of operator-controller.
func (s *unitSigns) addFlux(unit *objects.Unit) {
	sources, kustomizations := "source.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io"
	for _, o := range unit.Objects {
		from := o.Node.Lookup(manifest.Path{"spec", "sourceRef"})
		if o.Kind != "Kustomization" || o.Group != kustomizations || from.Get("kind").String() != "GitRepository" {
			continue
		}
		namespace := cmp.Or(from.Get("namespace").String(), o.Namespace)
		for _, source := range unit.Find(objects.Query{Group: &sources, Kind: "GitRepository", Name: from.Get("name").String()}) {
			if source.Namespace == namespace {
				ofSource, own := olm.ReadFlux(o.Node, source.Node)
				s.add(source, ofSource)
				s.add(o, own)
			}
		}
	}
}

// showImage reports whether an object shows the image of operator-controller.
func (s *unitSigns) showImage() bool {
	for _, o := range s.objects {
		if o.Kind == "Deployment" && slices.ContainsFunc(s.of[o], func(s olm.Signal) bool { return s.Kind == olm.ImageSignal }) {
			return true
		}
	}
	return false
}

// patchedBy returns the signals of the files with patches of a kustomization.
func patchedBy(k *objects.Kustomization, text func(string) ([]byte, error)) []olm.Signal {
	if text == nil {
		return nil
	}
	var signals []olm.Signal
	for _, input := range k.NonObjectInputs {
		if !strings.HasPrefix(input.Field, "patches") {
			continue
		}
		data, err := text(input.File)
		if err != nil {
			continue // a patch that cannot be read is a problem of the build
		}
		if signal, line, ok := olm.ReadPatch(data); ok {
			signal.Place = fmt.Sprintf("%s:%d", input.File, line)
			signals = append(signals, signal)
		}
	}
	return signals
}

// fetchedBy returns the signals of what a kustomization fetches, with their places.
func fetchedBy(k *objects.Kustomization) []olm.Signal {
	signals := olm.ReadKustomization(k.Doc.Root)
	for i, signal := range signals {
		line, _ := k.Doc.File.Position(k.Doc.Locate(signal.Path).Start)
		signals[i].Place = fmt.Sprintf("%s:%d", k.Path, line)
	}
	return signals
}

func placeOf(unit *objects.Unit, signal olm.Signal) string {
	if signal.Place != "" {
		return signal.Place
	}
	o := unit.Object(signal.Ref)
	if o == nil {
		return ""
	}
	at := o.Position(signal.Path)
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

package applications

import (
	"bytes"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The unit of an application can be built only when it is needed, if nothing about other units and no note depends on how it is built. In
// most clusters that Flux manages, that is so for the folder of a release whose chart is elsewhere: the release applies nothing that is
// in the repository. See docs/performance.md.

// later returns the units of applications that are built later, by application.
func (p *plan) later() map[*plannedUnit]*objects.Unit {
	deferred := map[*plannedUnit]*objects.Unit{}
	if p.settling || p.eager || p.Overlay.Defer == nil || p.Overlay.Known != nil {
		return deferred
	}
	var drafts []draft
	var planned []*plannedUnit
	options := p.Overlay
	options.Edits = map[*objects.Unit]*overlay.Edit{}
	for _, d := range p.planned {
		if isAlone(d) {
			planned, drafts = append(planned, d), append(drafts, d.parts[0].draft)
			options.Edits[d.parts[0].unit] = d.parts[0].edit
		}
	}
	options.Unrestricted = unrestricted(drafts)
	units := make([]*objects.Unit, len(drafts))
	for i, d := range drafts {
		units[i] = d.unit
	}
	references := p.references()
	builds := overlay.BuiltLater(p.ctx, units, options)
	for _, d := range planned {
		later, ok := builds[d.parts[0].unit]
		if !ok || !p.standsAlone(d, later.Inputs, references) {
			continue
		}
		if written := p.join(d, p.writtenPart); p.Overlay.Defer(written, later.Inputs) {
			deferred[d] = written.Defer(later.Inputs, func() *objects.Unit { return p.appliedLater(d, later.Build()) })
		}
	}
	return deferred
}

// isAlone reports whether an application of Flux applies one kustomization, with changes, and whether all about it is known. All notes about
// its build would be in its file, or in a file that the unit reads: a patch of another application can set fields of this one.
func isAlone(d *plannedUnit) bool {
	if d.app.Tool != gitops.FluxKustomize || d.known != nil || len(d.parts) != 1 || len(d.app.Sources) != 1 || len(reasonsOf(d.app)) > 0 {
		return false
	}
	only := d.parts[0]
	places := []objects.Position{d.app.Sources[0].Location.Position()}
	if only.edit != nil {
		places = append(places, only.edit.Position)
	}
	if v := d.app.Variables; v != nil && v.Open {
		places = append(places, v.Where.Position())
	}
	return only.unit != nil && only.edit != nil && only.failed == nil &&
		!slices.ContainsFunc(places, func(at objects.Position) bool { return at.File != d.app.Object.File })
}

// appliedLater returns the unit of an application from its kustomization as it was built. It changes nothing of the plan, because several
// goroutines can build units after the plan is complete.
func (p *plan) appliedLater(d *plannedUnit, made *objects.Unit) *objects.Unit {
	unit := p.join(d, func(part part) *objects.Unit { return p.adapt(part, made) })
	r := &postBuild{
		app: d.app, kinds: p.kinds, variables: textOfVariables(d.app.Variables), changes: map[changeKey]change{}, known: map[postBuildKey]*objects.Object{},
	}
	if built, changed := r.apply(unit.Objects); changed {
		unit.Sources = unit.AsWritten()
		unit.Built, unit.Objects = true, built
	}
	return unit
}

// references are the applications that reference a source by its kind and name, and the names of sources whose text may concern the rules.
type references struct {
	bySource map[string][]*objects.Object
	relevant []*objects.Object
}

func (p *plan) references() references {
	r := references{bySource: map[string][]*objects.Object{}}
	for _, a := range p.result.Applications {
		for _, s := range a.Sources {
			if steps := strings.Split(s.Reference, "/"); len(steps) == 3 {
				key := steps[0] + "/" + steps[2]
				r.bySource[key] = append(r.bySource[key], a.Object)
			}
		}
	}
	for _, o := range p.roundObjects {
		if o.Group == sourceGroup && MayConcernRules(fmt.Sprint(o.JSON())) {
			r.relevant = append(r.relevant, o)
		}
	}
	return r
}

const sourceGroup, helmGroup = "source.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io"

// standsAlone reports whether nothing but the unit of an application depends on how the unit is built, and whether there is no note about
// what it applies: all its applications are releases of charts that are elsewhere, under names that do not concern the rules. The inputs are
// what its kustomizations read in addition to objects.
func (p *plan) standsAlone(d *plannedUnit, inputs [][]byte, others references) bool {
	u := d.parts[0].unit
	switch {
	case slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool {
		_, adds := objects.AddedKind(t.Field)
		return !adds && !slices.Contains(harmlessFields, t.Field)
	}):
		return false
	case slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return mayChangeReleases(k.Doc.Root.Decode()) }):
		return false
	case slices.ContainsFunc(inputs, mayChangeReleasesIn), p.mayHoldSettings(u):
		return false
	case slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { _, removed := gitops.RemovedField(o); return removed }):
		return false
	case d.app.Variables != nil && slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return !isFilledSafely(o, d.app.Variables) }):
		return false
	}
	own := map[*objects.Object]bool{}
	for _, o := range u.Objects {
		own[o] = true
	}
	return !slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return isGitOpsObject(o) && !others.ignore(o, own) })
}

// ignore reports whether an object of an application's unit is a release or a source about which there is no note, and to which no object
// of another unit refers.
func (r references) ignore(o *objects.Object, own map[*objects.Object]bool) bool {
	text := o.Name + " " + o.Namespace
	switch {
	case o.Name == "":
		return false
	case isForeignRelease(o):
		spec := o.JSON()["spec"].(map[string]any)
		text += fmt.Sprint(spec["chartRef"], spec["chart"])
	case isChartSource(o):
		text = string(o.Doc.Bytes())
	default:
		return false
	}
	return !MayConcernRules(text) &&
		!slices.ContainsFunc(r.relevant, func(source *objects.Object) bool { return strings.Contains(text, source.Name) }) &&
		!slices.ContainsFunc(r.bySource[o.Kind+"/"+o.Name], func(by *objects.Object) bool { return !own[by] && !own[by.Source()] })
}

// harmlessFields are the fields of kustomizations that, beside those that only add, change no names of releases and sources, with the patches that mayChangeReleases
// allows.
var harmlessFields = []string{
	"namespace", "patches", "patchesStrategicMerge", "components",
}

// changingWords are words without which a kustomization or a patch does not change which chart a release has, or the name of an object, and
// makes no ConfigMap. Operations of JSON patches can change any field, and variables and escapes can stand for any word.
var changingWords = []string{"$", `\`, "op:", "op'", `op"`, "chart", "sourceref", "configmap", "namechange", "kindchange"}

// mayChangeReleases reports whether a kustomization or a patch, or a part of it, has one of changingWords, or may give an object a name that
// concerns the rules. Comments do not count.
func mayChangeReleases(value any) bool {
	if operations, ok := jsonPatch(value); ok {
		return slices.ContainsFunc(operations, operationMayChangeReleases)
	}
	switch value := value.(type) {
	case string:
		lower := strings.ToLower(value)
		return MayConcernRules(lower) || slices.ContainsFunc(changingWords, func(word string) bool { return strings.Contains(lower, word) })
	case []any:
		return slices.ContainsFunc(value, mayChangeReleases)
	case map[string]any:
		for name, field := range value {
			if name == "op" || mayChangeReleases(name) || mayChangeReleases(field) {
				return true
			}
		}
	}
	return false
}

// jsonPatch returns the operations of a JSON patch, or of a text that is one.
func jsonPatch(value any) (operations []map[string]any, ok bool) {
	if text, isText := value.(string); isText && strings.Contains(text, "op") && strings.Contains(text, "\n") {
		docs := manifest.Scan("", []byte(text)).Docs
		if len(docs) != 1 || docs[0].Parse() != nil {
			return nil, false
		}
		value = docs[0].Root.Decode()
	}
	items, _ := value.([]any)
	for _, item := range items {
		operation, _ := item.(map[string]any)
		if operation["op"] == nil {
			return nil, false
		}
		operations = append(operations, operation)
	}
	return operations, len(operations) > 0
}

// settings are the fields of a release that decide how it is installed, and not what.
var settings = []string{"values", "dependsOn", "interval", "timeout", "maxHistory", "install", "upgrade", "rollback", "uninstall"}

// operationMayChangeReleases reports whether an operation of a JSON patch changes anything but settings of a release.
func operationMayChangeReleases(operation map[string]any) bool {
	at, _ := operation["path"].(string)
	steps := strings.Split(at, "/")
	if len(steps) < 3 || steps[0] != "" || steps[1] != "spec" || !slices.Contains(settings, steps[2]) {
		return true
	}
	return !slices.Contains([]any{"add", "replace", "remove", "test"}, operation["op"])
}

// mayChangeReleasesIn is mayChangeReleases for the documents of a text. One that cannot be parsed may.
func mayChangeReleasesIn(text []byte) bool {
	return slices.ContainsFunc(manifest.Scan("", text).Docs, func(doc *manifest.Document) bool {
		return doc.Parse() != nil || mayChangeReleases(doc.Root.Decode())
	})
}

// mayHoldSettings reports whether a file of a unit may hold a ConfigMap, which applications of the same unit could read. Its document need
// not be parsed.
func (p *plan) mayHoldSettings(u *objects.Unit) bool {
	read := map[string][]byte{}
	for _, o := range u.Objects {
		read[o.File] = o.Doc.File.Data
	}
	for _, k := range u.Kustomizations {
		for _, entry := range k.Resources {
			if path.Ext(entry.Target) != ".yaml" && path.Ext(entry.Target) != ".yml" {
				if p.Kustomization(entry.Target) == nil {
					return true
				}
				continue
			}
			data, known := read[entry.Target]
			var err error
			if !known {
				data, err = p.Overlay.Files.ReadFile(entry.Target)
			}
			if err != nil || bytes.Contains(data, []byte("ConfigMap")) {
				return true
			}
		}
	}
	return false
}

// isForeignRelease reports whether an object is a release of a chart that is in no git repository.
func isForeignRelease(o *objects.Object) bool {
	spec, _ := o.JSON()["spec"].(map[string]any)
	if o.Group != helmGroup || o.Kind != "HelmRelease" {
		return false
	}
	if reference, there := spec["chartRef"]; there {
		fields, _ := reference.(map[string]any)
		return fields["kind"] == "OCIRepository"
	}
	source := spec
	for _, name := range []string{"chart", "spec", "sourceRef"} {
		source, _ = source[name].(map[string]any)
	}
	return source["kind"] == "HelmRepository"
}

// isChartSource reports whether an object is a source of charts that is no git repository.
func isChartSource(o *objects.Object) bool {
	return o.Group == sourceGroup && (o.Kind == "OCIRepository" || o.Kind == "HelmRepository")
}

// isFilledSafely reports whether the variables in an object, if there are any, are all known, and change only the values of a release, or
// the spec of an object that neither Flux nor Argo CD reads.
func isFilledSafely(o *objects.Object, variables *gitops.Variables) bool {
	object := o.JSON()
	if !hasDollar(object) {
		return true
	}
	if !isForeignRelease(o) && isGitOpsObject(o) {
		return false
	}
	for name, field := range object {
		if name != "spec" && hasDollar(field) {
			return false
		}
	}
	spec, _ := object["spec"].(map[string]any)
	for name, field := range spec {
		if isForeignRelease(o) && name != "values" && hasDollar(field) {
			return false
		}
	}
	return variables.FillsWords(object) || fillsSpec(object, variables)
}

// fillsSpec reports whether substituting the variables of an object succeeds, and changes nothing outside of its spec.
func fillsSpec(object map[string]any, variables *gitops.Variables) bool {
	filled, undefined, err := variables.Fill(object)
	if err != nil || len(undefined) > 0 || len(filled) != len(object) {
		return false
	}
	for name, field := range object {
		if name != "spec" && !reflect.DeepEqual(field, filled[name]) {
			return false
		}
	}
	return true
}

// setLater lets a set answer for all units as they are applied, although some are built later.
func (p *plan) setLater(set *Set, units []*objects.Unit) {
	rendered := p.standaloneCharts(p.Rendered)
	set.whole = sync.OnceValue(func() *Set {
		return NewSet(p.readApplications(gitOpsObjects(slices.Concat(objects.AllApplied(units), rendered))))
	})
}

// OfAllUnits returns the applications of all units as they are applied. It builds those that are built later.
func (s *Set) OfAllUnits() *Set {
	if s.whole == nil {
		return s
	}
	return s.whole()
}

package applications

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// The unit of an application can be built only when it is needed, if nothing about other units and no note that is reported depends on how
// it is built. In most clusters that Flux manages, that is so for the folder of a release whose chart is elsewhere: the release applies
// nothing that is in the repository. Only units are deferred of which no file is selected, so notes in their files do not count. See
// docs/performance.md.

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
		if p.isAlone(d) {
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

// isAlone reports whether an application of Flux applies one kustomization, with changes, and whether all notes about it are in its file, or in
// one of which nothing is reported: a patch of another application can set fields of this one.
func (p *plan) isAlone(d *plannedUnit) bool {
	if d.app.Tool != gitops.FluxKustomize || d.known != nil || len(d.parts) != 1 || len(d.app.Sources) != 1 {
		return false
	}
	only := d.parts[0]
	if only.unit == nil || only.edit == nil || only.failed != nil {
		return false
	}
	places := []objects.Position{d.app.Sources[0].Location.Position(), only.edit.Position}
	for _, reason := range reasonsOf(d.app) {
		places = append(places, reason.Position)
	}
	if v := d.app.Variables; v != nil && v.Open {
		places = append(places, v.Where.Position())
	}
	return !slices.ContainsFunc(places, func(at objects.Position) bool {
		return at.File != d.app.Object.File && (p.Overlay.Reports == nil || p.Overlay.Reports(at.File))
	})
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

// references are the applications that reference a source, by its kind and name.
type references map[string][]*objects.Object

func (p *plan) references() references {
	r := references{}
	for _, a := range p.result.Applications {
		for _, s := range a.Sources {
			if steps := strings.Split(s.Reference, "/"); len(steps) == 3 {
				key := steps[0] + "/" + steps[2]
				r[key] = append(r[key], a.Object)
			}
		}
	}
	return r
}

const sourceGroup, helmGroup = "source.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io"

// standsAlone reports whether nothing but the unit of an application depends on how the unit is built: all its applications are releases of
// charts that are elsewhere. The inputs are what its kustomizations read in addition to objects.
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

// ignore reports whether an object of an application's unit is a release or a source to which no object of another unit refers.
func (r references) ignore(o *objects.Object, own map[*objects.Object]bool) bool {
	if o.Name == "" || !isForeignRelease(o) && !isChartSource(o) {
		return false
	}
	return !slices.ContainsFunc(r[o.Kind+"/"+o.Name], func(by *objects.Object) bool { return !own[by] && !own[by.Source()] })
}

// harmlessFields are the fields of kustomizations that, beside those that only add, change no names of releases and sources, with the patches that mayChangeReleases
// allows.
var harmlessFields = []string{
	"namespace", "patches", "patchesStrategicMerge", "components",
}

// changingWords are words without which a kustomization or a patch does not change which chart a release has, or the name of an object, and
// makes no ConfigMap. Operations of JSON patches can change any field, and variables and escapes can stand for any word.
var changingWords = []string{"$", `\`, "op:", "op'", `op"`, "chart", "sourceref", "configmap", "namechange", "kindchange"}

// mayChangeReleases reports whether a kustomization or a patch, or a part of it, has one of changingWords. Comments do not count.
func mayChangeReleases(value any) bool {
	if operations, ok := jsonPatch(value); ok {
		return slices.ContainsFunc(operations, operationMayChangeReleases)
	}
	switch value := value.(type) {
	case string:
		lower := strings.ToLower(value)
		return slices.ContainsFunc(changingWords, func(word string) bool { return strings.Contains(lower, word) })
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

// isFilledSafely reports whether the variables in an object, if there are any, change only the values of a release, a source of charts, or
// what is in an object that neither Flux nor Argo CD reads.
func isFilledSafely(o *objects.Object, variables *gitops.Variables) bool {
	object := o.JSON()
	if !hasDollar(object) {
		return true
	}
	for name, field := range object {
		if name != "metadata" && name != "spec" && hasDollar(field) {
			return false
		}
	}
	if !isGitOpsObject(o) {
		return keepsType(object, variables)
	}
	spec, _ := object["spec"].(map[string]any)
	for name, field := range spec {
		if name != "values" && !isChartSource(o) && hasDollar(field) {
			return false
		}
	}
	return (isForeignRelease(o) || isChartSource(o)) && !hasDollar(object["metadata"]) && keepsType(object, variables)
}

// keepsType reports whether an object stays one of its type when variables are substituted. The value of one that is not known is a word.
func keepsType(object map[string]any, variables *gitops.Variables) bool {
	filled, _, err := variables.Fill(object)
	return err == nil && filled["kind"] == object["kind"] && filled["apiVersion"] == object["apiVersion"]
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

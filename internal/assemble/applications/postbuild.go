package applications

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/restmap"
)

// postBuild applies the changes that tools make to objects after a build: Flux substitutes variables, and Argo CD sets the
// namespace of objects without one. Labels and annotations that they add are ignored, because salint reads none of them.
type postBuild struct {
	app   *gitops.Application
	kinds *restmap.Map
	// known are the results of earlier rounds, so that the same change of the same object always returns the same object.
	known map[postBuildKey]*objects.Object
	// unknown are the variables without a value in the repository; the value is true if the variable is part of a field by
	// which permissions are compared. failed is why the variables of an object could not be substituted.
	unknown map[string]bool
	failed  error
}

type postBuildKey struct {
	of   *objects.Object
	text string
}

// apply returns the objects as they are applied. Unchanged objects are returned as they are.
func (r *postBuild) apply(objects []*objects.Object) (made []*objects.Object, changed bool) {
	made = slices.Clone(objects)
	for i, o := range objects {
		if other := r.applyTo(o); other != nil {
			made[i], changed = other, true
		}
	}
	return made, changed
}

// applyTo returns the object as it is applied, or nil if it is unchanged.
func (r *postBuild) applyTo(o *objects.Object) *objects.Object {
	namespace := r.namespace(o)
	if namespace == "" && r.app.Variables == nil {
		return nil
	}
	text, err := json.Marshal(o.JSON())
	if err != nil || namespace == "" && !bytes.Contains(text, []byte("$")) {
		return nil
	}
	after, err := r.fill(decoded(text))
	if err != nil {
		r.failed = err
		return nil
	}
	if metadata, ok := after["metadata"].(map[string]any); ok && namespace != "" {
		metadata["namespace"] = namespace
	}
	data, err := json.Marshal(after)
	if err != nil || reflect.DeepEqual(decoded(text), decoded(data)) {
		return nil
	}
	key := postBuildKey{o, string(data)}
	if r.known[key] == nil {
		r.known[key] = r.object(o, data)
	}
	return r.known[key]
}

// decoded decodes JSON that was encoded before.
func decoded(data []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var object map[string]any
	_ = decoder.Decode(&object) // encoded JSON can always be decoded
	return object
}

// namespace returns the namespace that Argo CD sets, or "". It is "" for an unknown kind, because that may be
// cluster-scoped.
func (r *postBuild) namespace(o *objects.Object) string {
	if r.app.Tool != gitops.ArgoCD || o.Namespace != "" || !o.InFile() {
		return ""
	}
	if kind, known := r.kinds.Kind(o.Group, o.Kind); !known || !kind.Namespaced {
		return ""
	}
	return r.app.Target.Value
}

// fill substitutes the variables. A variable whose value is outside the repository stays as it is written, so that rules
// recognize the value as unknown.
func (r *postBuild) fill(object map[string]any) (map[string]any, error) {
	filled, unknown, err := r.app.Variables.Fill(object)
	if err != nil || len(unknown) == 0 {
		return filled, err
	}
	r.noteUnknown(object, unknown)
	known := gitops.Variables{Known: maps.Clone(r.app.Variables.Known)}
	for _, name := range unknown {
		known.Known[name] = "${" + name + "}"
	}
	filled, _, err = known.Fill(object)
	return filled, err
}

// noteUnknown records the unknown variables of an object.
func (r *postBuild) noteUnknown(object map[string]any, unknown []string) {
	if r.unknown == nil {
		r.unknown = map[string]bool{}
	}
	_, compared, err := r.app.Variables.Fill(permissionFields(object))
	for _, name := range unknown {
		r.unknown[name] = r.unknown[name] || err != nil || slices.Contains(compared, name)
	}
}

// permissionFields returns the object without the fields that cannot change permissions, such as an operator's version.
// Labels matter only on ClusterRoles, where aggregation selects by them.
func permissionFields(object map[string]any) map[string]any {
	left := without(object, "metadata", "annotations")
	if left["kind"] != "ClusterRole" {
		left = without(left, "metadata", "labels")
	}
	if left["kind"] == olm.ClusterExtensionKind || left["kind"] == olm.ExtensionKind {
		left = without(left, "spec", "source", "packageName", "version", "channel", "upgradeConstraintPolicy")
	}
	return left
}

// without returns an object with some fields of one of its mappings removed.
func without(object map[string]any, field string, names ...string) map[string]any {
	inside, ok := object[field].(map[string]any)
	if !ok {
		return object
	}
	left := maps.Clone(object)
	inside = maps.Clone(inside)
	for _, name := range names {
		delete(inside, name)
	}
	left[field] = inside
	return left
}

// object returns the changed object, or nil if the result is no longer an object.
func (r *postBuild) object(o *objects.Object, data []byte) *objects.Object {
	doc := manifest.Scan(o.File, data).Docs[0]
	if doc.Parse() != nil {
		return nil
	}
	built := objects.Objects(doc)
	if len(built) != 1 {
		return nil
	}
	made := &objects.Object{
		APIVersion: built[0].APIVersion, Group: built[0].Group, Kind: built[0].Kind,
		Namespace: built[0].Namespace, Name: built[0].Name, Node: built[0].Node,
		Doc: o.Doc, Path: o.Path, File: o.File,
	}
	made.Applied = &objects.Applied{Doc: doc, Source: o.Source(), Trace: r.tracer(o, made), Writers: writersOf(o)}
	if charts.Of(o) != nil {
		doc.Index = o.Doc.Index
		made.Doc, made.Path = doc, built[0].Path
	}
	if o.Applied != nil {
		made.Applied.Instance, made.Applied.Made = o.Applied.Instance, o.Applied.Made
	}
	return made
}

// tracer traces a field of the changed object to where the original object sets it, also if a variable in it was
// substituted. A namespace that the application sets is traced to the application.
func (r *postBuild) tracer(before, made *objects.Object) func(manifest.Path) []objects.Trace {
	target := traceTo(r.app.Target.Location)
	return func(path manifest.Path) []objects.Trace {
		traces := traceOf(before, path)
		isNamespace := len(path) == 2 && path[0] == "metadata" && path[1] == "namespace"
		if isNamespace && before.Namespace == "" && made.Namespace != "" {
			return append([]objects.Trace{target}, traces...)
		}
		return traces
	}
}

// writersOf returns the writers of the fields of the original object. Applications add none.
func writersOf(o *objects.Object) func(manifest.Path) []objects.Writer {
	if o.Applied != nil {
		return o.Applied.Writers
	}
	return func(path manifest.Path) []objects.Writer {
		if o.Node.Lookup(path) == nil {
			return nil
		}
		return []objects.Writer{{Doc: o.Doc, Path: o.At(path), What: objects.Base, Effect: objects.Sets}}
	}
}

// traceOf traces a field of an object, including one that is applied as it is written.
func traceOf(o *objects.Object, path manifest.Path) []objects.Trace {
	if o.Applied != nil {
		return o.Applied.Trace(path)
	}
	for len(path) > 0 && o.Node.Lookup(path) == nil {
		path = path[:len(path)-1]
	}
	return []objects.Trace{{Doc: o.Doc, Path: o.At(path), What: objects.Base, Exact: true}}
}

package applications

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/restmap"
)

// remaker makes the changes to objects that come after a build: Flux fills in variables, and Argo CD the namespace of
// objects that name none. Labels and annotations that either adds change nothing that salint looks at.
type remaker struct {
	app   *gitops.Application
	kinds *restmap.Map
	// made are the objects of earlier rounds: what is made of the same, the same way, is the same object.
	made map[remade]*objects.Object
	// unknown are the variables of objects whose values are not in the repository, each with whether it stands in something by
	// which objects are compared; failed says why an object could not be filled in.
	unknown map[string]bool
	failed  error
}

type remade struct {
	of   *objects.Object
	text string
}

// all gives the objects as they are applied, those without a change as they are.
func (r *remaker) all(objects []*objects.Object) (made []*objects.Object, changed bool) {
	made = slices.Clone(objects)
	for i, o := range objects {
		if other := r.remake(o); other != nil {
			made[i], changed = other, true
		}
	}
	return made, changed
}

// remake gives the object as it is applied, or nil where that is as it is.
func (r *remaker) remake(o *objects.Object) *objects.Object {
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
	key := remade{o, string(data)}
	if r.made[key] == nil {
		r.made[key] = r.object(o, data)
	}
	return r.made[key]
}

// decoded reads what was written as JSON a moment ago.
func decoded(data []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var object map[string]any
	_ = decoder.Decode(&object) // what was encoded can be decoded
	return object
}

// namespace is the one that Argo CD fills in; "" for none. Of a kind that nobody knows it is not known whether it has one.
func (r *remaker) namespace(o *objects.Object) string {
	if r.app.Tool != gitops.ArgoCD || o.Namespace != "" || !o.InFile() {
		return ""
	}
	if kind, known := r.kinds.Kind(o.Group, o.Kind); !known || !kind.Namespaced {
		return ""
	}
	return r.app.Target.Value
}

// fill fills in the variables. One that has a value elsewhere stays as it is written, so that everybody sees that the text is
// none yet.
func (r *remaker) fill(object map[string]any) (map[string]any, error) {
	filled, unknown, err := r.app.Variables.Fill(object)
	if err != nil || len(unknown) == 0 {
		return filled, err
	}
	r.note(object, unknown)
	known := gitops.Variables{Known: maps.Clone(r.app.Variables.Known)}
	for _, name := range unknown {
		known.Known[name] = "${" + name + "}"
	}
	filled, _, err = known.Fill(object)
	return filled, err
}

// note remembers the variables of an object that are not known.
func (r *remaker) note(object map[string]any, unknown []string) {
	if r.unknown == nil {
		r.unknown = map[string]bool{}
	}
	_, compared, err := r.app.Variables.Fill(compared(object))
	for _, name := range unknown {
		r.unknown[name] = r.unknown[name] || err != nil || slices.Contains(compared, name)
	}
}

// compared leaves of an object what may decide who holds what: not the version of an operator, say. Of labels only those of
// roles do, by which others are put together.
func compared(object map[string]any) map[string]any {
	left := without(object, "metadata", "annotations")
	if left["kind"] != "ClusterRole" {
		left = without(left, "metadata", "labels")
	}
	if left["kind"] == olm.ClusterExtensionKind || left["kind"] == olm.ExtensionKind {
		left = without(left, "spec", "source", "packageName", "version", "channel", "upgradeConstraintPolicy")
	}
	return left
}

// without gives an object without some fields of one of its fields.
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

// object makes an object of what one became; nil where that is none any more.
func (r *remaker) object(o *objects.Object, data []byte) *objects.Object {
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
	if o.Applied != nil {
		made.Applied.Instance, made.Applied.Made = o.Applied.Instance, o.Applied.Made
	}
	return made
}

// tracer shows a field of a remade object where it was set before, also where a variable in it was filled in; a namespace
// that the application sets stands there.
func (r *remaker) tracer(before, made *objects.Object) func(manifest.Path) []objects.Trace {
	target := traceTo(r.app.Target.Place)
	return func(path manifest.Path) []objects.Trace {
		traces := traceOf(before, path)
		isNamespace := len(path) == 2 && path[0] == "metadata" && path[1] == "namespace"
		if isNamespace && before.Namespace == "" && made.Namespace != "" {
			return append([]objects.Trace{target}, traces...)
		}
		return traces
	}
}

// writersOf finds what writes the fields of an object before it is remade, which no application does again.
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

// traceOf finds the places of a field, of an object that is applied as it stands too.
func traceOf(o *objects.Object, path manifest.Path) []objects.Trace {
	if o.Applied != nil {
		return o.Applied.Trace(path)
	}
	for len(path) > 0 && o.Node.Lookup(path) == nil {
		path = path[:len(path)-1]
	}
	return []objects.Trace{{Doc: o.Doc, Path: o.At(path), What: objects.Base, Exact: true}}
}

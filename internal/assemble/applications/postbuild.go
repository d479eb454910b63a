package applications

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/envsubst"
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
	// variables is a text that differs for variables with different effects.
	variables string
	// changes are the results of earlier rounds, and known are the objects in them by their texts, so that the same change of the same
	// object always returns the same object.
	changes map[changeKey]change
	known   map[postBuildKey]*objects.Object
	// unknown are the variables without a value in the repository; the value is true if the variable is part of a field by
	// which permissions are compared. failed is why the variables of an object could not be substituted.
	// possible is why they cannot be, if the version of Flux is 2.9 or later.
	unknown          map[string]bool
	failed, possible *fillFailure
}

// fillFailure is why the variables of an object cannot be substituted, and where.
type fillFailure struct {
	objects.Position
	err error
	// certain is set if Flux fails for this reason, too.
	certain bool
}

type postBuildKey struct {
	of   *objects.Object
	text string
}

// changeKey is everything on which a change depends.
type changeKey struct {
	of                   *objects.Object
	namespace, variables string
}

// change is the object as it is applied, nil if it is unchanged, with its unknown variables, and why they could not be substituted, as in postBuild.
type change struct {
	made             *objects.Object
	unknown          map[string]bool
	failed, possible *fillFailure
}

func (m *unitBuilder) newPostBuild(a *gitops.Application) *postBuild {
	return &postBuild{app: a, kinds: m.kinds, variables: textOfVariables(a.Variables), changes: m.changes, known: m.postBuilt}
}

// textOfVariables returns "" if nothing is substituted.
func textOfVariables(v *gitops.Variables) string {
	if v == nil {
		return ""
	}
	text := strconv.FormatBool(v.Open) + strconv.FormatBool(v.Strict) + strconv.FormatBool(v.MayBeStrict)
	for _, name := range slices.Sorted(maps.Keys(v.Known)) {
		text += fmt.Sprintf(" %q=%q", name, v.Known[name])
	}
	return text
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
	if namespace == "" && (r.app.Variables == nil || !hasDollar(o.JSON())) {
		return nil
	}
	key := changeKey{o, namespace, r.variables}
	found, known := r.changes[key]
	if !known {
		found = r.change(o, namespace)
		r.changes[key] = found
	}
	if found.failed != nil {
		r.failed = found.failed
	}
	if r.possible == nil {
		r.possible = found.possible
	}
	for name, compared := range found.unknown {
		if r.unknown == nil {
			r.unknown = map[string]bool{}
		}
		r.unknown[name] = r.unknown[name] || compared
	}
	return found.made
}

// hasDollar reports whether a text in an object, which may be a key, can have a variable.
func hasDollar(value any) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, "$")
	case []any:
		return slices.ContainsFunc(value, hasDollar)
	case map[string]any:
		for name, field := range value {
			if strings.Contains(name, "$") || hasDollar(field) {
				return true
			}
		}
	}
	return false
}

// change computes what happens to an object.
func (r *postBuild) change(o *objects.Object, namespace string) (c change) {
	text, err := json.Marshal(o.JSON())
	if err != nil {
		return c
	}
	after, unknown, err := r.fill(o.JSON())
	c.unknown, c.failed = unknown, r.failure(o, err)
	c.possible = r.firstOf(o, r.app.Variables.MayBeUnset(o.JSON()))
	if err != nil {
		return c
	}
	data, err := json.Marshal(withNamespace(after, namespace))
	if err != nil || bytes.Equal(text, data) {
		return c
	}
	key := postBuildKey{o, string(data)}
	if r.known[key] == nil {
		r.known[key] = r.object(o, data)
	}
	c.made = r.known[key]
	return c
}

// failure returns why the variables of an object cannot be substituted: an error, or a variable without a value; nil if they can be.
func (r *postBuild) failure(o *objects.Object, err error) *fillFailure {
	if err != nil {
		var limit *envsubst.LimitError
		return &fillFailure{o.Position(nil), err, !errors.As(err, &limit) && !r.app.Variables.Open}
	}
	return r.firstOf(o, r.app.Variables.Unset(o.JSON()))
}

// firstOf returns the failure of the first variable of an object that a text in it shows.
func (r *postBuild) firstOf(o *objects.Object, names []string) *fillFailure {
	for _, name := range names {
		if path, found := pathOf(o.JSON(), "${"+name+"}", nil); found {
			return &fillFailure{o.Position(path), fmt.Errorf("the variable %q has no value and no default", name), true}
		}
	}
	return nil
}

// pathOf returns the path of the first text in a value with a reference to a variable, which is not escaped.
func pathOf(value any, reference string, at manifest.Path) (manifest.Path, bool) {
	switch value := value.(type) {
	case string:
		return at, strings.Contains(strings.ReplaceAll(value, "$"+reference, ""), reference)
	case []any:
		for i, item := range value {
			if path, found := pathOf(item, reference, at.Join(strconv.Itoa(i))); found {
				return path, true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if path, found := pathOf(value[name], reference, at.Join(name)); found {
				return path, true
			}
		}
	}
	return nil, false
}

// withNamespace returns an object with a namespace; "" changes nothing.
func withNamespace(object map[string]any, namespace string) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok || namespace == "" {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	metadata["namespace"] = namespace
	object["metadata"] = metadata
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
// recognize the value as unknown. The names of these are returned as in postBuild.
func (r *postBuild) fill(object map[string]any) (filled map[string]any, open map[string]bool, err error) {
	filled, unknown, err := r.app.Variables.Fill(object)
	if err != nil || len(unknown) == 0 {
		return filled, nil, err
	}
	known := gitops.Variables{Known: maps.Clone(r.app.Variables.Known)}
	for _, name := range unknown {
		known.Known[name] = "${" + name + "}"
	}
	filled, _, err = known.Fill(object)
	return filled, r.compared(object, unknown), err
}

// compared returns the unknown variables of an object; the value is true if one is part of a field by which permissions are compared.
func (r *postBuild) compared(object map[string]any, unknown []string) map[string]bool {
	_, compared, err := r.app.Variables.Fill(permissionFields(object))
	found := map[string]bool{}
	for _, name := range unknown {
		found[name] = err != nil || slices.Contains(compared, name)
	}
	return found
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

package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// Applied describes how an object is applied in a unit whose objects differ from its files. The object's names, Node, and
// JSON are those as applied; its File, Doc, and Path lead to the user's own source.
type Applied struct {
	// Doc is the document of the built text that contains Node. It is not in any file of the user.
	Doc *manifest.Document
	// Source is the object in its file; nil for an object that is in no file, such as a generated Secret.
	Source *Object
	// Trace lists the places that set the field at a path inside the applied object: the deciding one first, the object's
	// own source last. The list is never empty: for a field that is not set, it is that of the nearest ancestor.
	Trace func(manifest.Path) []Trace
	// Writers lists all places that affect the field at a path, in the order in which they are applied, including those
	// that later ones override. It is nil if they are unknown, as for objects that a chart renders.
	Writers func(manifest.Path) []Writer
	// Former has the namespace and the name with which a chart of a kustomization renders the object, which is in no file, before the
	// kustomization changes them; nil for other objects.
	Former *Object
	// Instance distinguishes the objects that one source yields in one unit: 0 for the first.
	Instance int
	// Made is further information of the package that built the object, for fixing its source; nil if there is none.
	Made any
}

// TraceKind is the way in which a place sets a field of an applied object.
type TraceKind string

// The kinds of places.
const (
	Base           TraceKind = "base" // the object's own source
	StrategicPatch TraceKind = "strategic-patch"
	JSONPatch      TraceKind = "json-patch"
	Replacement    TraceKind = "replacement"
	Transformer    TraceKind = "transformer" // a field of a kustomization: namePrefix, nameSuffix, namespace
	Template       TraceKind = "template"    // a line of a chart's template
)

// Trace is a place in a user's file that sets a field of an applied object.
type Trace struct {
	// Doc has the positions of the user's file. A patch that is a text inside a kustomization is a separate document, whose
	// offsets are those of the kustomization.
	Doc  *manifest.Document
	Path manifest.Path
	// File and Span replace Doc and Path if the place is in a text that is not YAML: a template.
	File *manifest.File
	Span manifest.Span
	What TraceKind
	// Exact is true if this place alone sets the field's value; otherwise it is only the best place to show.
	Exact bool
}

// Effect is the effect of a place on a field.
type Effect string

// The effects.
const (
	Sets    Effect = "sets"
	Deletes Effect = "deletes"
	// Tests: the build fails if the field has another value.
	Tests Effect = "tests"
	// Other: the place changes something around the field as well, or moves the field.
	Other Effect = "other"
)

// Writer is a place that affects a field of an applied object.
type Writer struct {
	// Kustomization and Entry are the entry that includes the patch; nil for the object's own source.
	Kustomization *Kustomization
	Entry         manifest.Path
	// Inline leads to the scalar of the kustomization that contains the patch. Doc is then that text alone, with its own
	// offsets; otherwise Doc is a document of a file.
	Inline manifest.Path
	Doc    *manifest.Document
	// Path leads to the field in a manifest or a strategic merge patch, to the operation of a JSON patch, or the field in
	// its value, or to the item of fieldPaths in a replacement.
	Path   manifest.Path
	What   TraceKind
	Effect Effect
	// Filled is true if the place is in a template, as that of an ApplicationSet: the applied object is in no file.
	Filled bool
}

// Position is the position of the place; for a patch inside a kustomization, the start of its text.
func (w Writer) Position() Position {
	if w.Inline != nil {
		return PositionIn(w.Kustomization.Doc, w.Kustomization.Doc.Locate(w.Inline).Start)
	}
	return PositionIn(w.Doc, w.Doc.Locate(w.Path).Start)
}

// Locate returns the bytes of the place in its file.
func (t Trace) Locate() (*manifest.File, manifest.Span) {
	if t.Doc == nil {
		return t.File, t.Span
	}
	return t.Doc.File, t.Doc.Locate(t.Path)
}

// Position is the start of these bytes.
func (t Trace) Position() Position {
	file, span := t.Locate()
	return positionOf(file, span.Start)
}

// Locate returns the place that set the field at a path inside the object: bytes of a user's file.
func (o *Object) Locate(path manifest.Path) (*manifest.File, manifest.Span) {
	if o.Applied == nil {
		return o.Doc.File, o.Doc.Locate(o.At(path))
	}
	return o.Applied.Trace(path)[0].Locate()
}

// Text is the document that contains the object's Node: a document of its file, or of the built text.
func (o *Object) Text() *manifest.Document {
	if o.Applied == nil {
		return o.Doc
	}
	return o.Applied.Doc
}

// Source is the object in its file: itself if it is applied unchanged, nil if no file contains it.
func (o *Object) Source() *Object {
	if o.Applied == nil {
		return o
	}
	return o.Applied.Source
}

// InFile reports whether Doc is a document of a user's file, so that it can be edited. The document of an object that a
// template renders is not, although it has the template's name.
func (o *Object) InFile() bool { return o.Applied == nil || o.Applied.Doc != o.Doc }

// instance is 0 except for further objects of one source.
func (o *Object) instance() int {
	if o.Applied == nil {
		return 0
	}
	return o.Applied.Instance
}

// Build returns the unit with other objects: those that it actually applies. The new unit keeps the objects of the files as
// Sources.
func (u *Unit) Build(applied []*Object) *Unit {
	built := u.withoutObjects()
	built.Built, built.Objects, built.Sources = true, applied, u.Objects
	return built
}

// Unbuilt returns the unit with the problems that prevented its build: its objects are those of its files.
func (u *Unit) Unbuilt(problems ...Problem) *Unit {
	unbuilt := u.withoutObjects()
	unbuilt.NotBuilt, unbuilt.Objects = true, u.Objects
	unbuilt.Problems = append(u.Problems[:len(u.Problems):len(u.Problems)], problems...)
	return unbuilt
}

// withoutObjects returns a unit with the same parts, without objects.
func (u *Unit) withoutObjects() *Unit {
	return &Unit{
		Name: u.Name, Root: u.Root, Kind: u.Kind, Kustomizations: u.Kustomizations, Renderings: u.Renderings, Replacements: u.Replacements,
		Takes: u.Takes, Appliers: u.Appliers, Transforms: u.Transforms, Remotes: u.Remotes, NonObjectInputs: u.NonObjectInputs, Problems: u.Problems,
		LeftOut: u.LeftOut, Kubernetes: u.Kubernetes, Namespace: u.Namespace,
		LeavesOut: u.LeavesOut,
	}
}

// AsWritten returns the objects as they are in the unit's files.
func (u *Unit) AsWritten() []*Object {
	if u.Built {
		return u.Sources
	}
	return u.Objects
}

// For returns the unit as applied by these applications only. The problems describe what these applications apply
// unchecked.
func (u *Unit) For(appliers []Applier, problems ...Problem) *Unit {
	applied := u.withoutObjects()
	applied.Objects, applied.Built, applied.Sources, applied.NotBuilt = u.Objects, u.Built, u.Sources, u.NotBuilt
	applied.Appliers, applied.Problems = appliers, nil
	for _, p := range append(problems, u.Problems...) { // the last problem is the reason why the unit is not built
		if !slices.Contains(applied.Problems, p) {
			applied.Problems = append(applied.Problems, p)
		}
	}
	if u.Deferred() {
		applied.inputs = u.inputs
		applied.deferral = newDeferral(func() *Unit { return u.Applied().For(appliers, problems...) })
	}
	return applied
}

package objects

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
)

// Applied is what became of an object on the way to the cluster, in a unit that is not applied as its files stand. The
// object's names, Node and JSON are those as applied; its File, Doc and Path lead to the user's own source.
type Applied struct {
	// Doc is the document of the built text that Node lies in. The user has never seen it.
	Doc *manifest.Document
	// Source is the object as it stands in its file; nil for one that no file has, such as a generated Secret.
	Source *Object
	// Trace lists the places that set the field at a path inside the applied object: the deciding one first, the object's
	// own source last. There is always one: for a field that nobody set it is that of the nearest ancestor.
	Trace func(manifest.Path) []Trace
	// Writers lists all places that do something to the field at a path, in the order in which they are applied, whichever of
	// them has the last word. It is nil where that cannot be told, as for what a chart renders.
	Writers func(manifest.Path) []Writer
	// Instance tells those apart that come of one source in one unit: 0 for the first.
	Instance int
	// Made is what the package that made the object knows of it besides, for those that mend its source; nil for nothing.
	Made any
}

// TraceKind says how a place sets a field of an applied object.
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

// Trace is a place in a file of the user's that sets a field of an applied object.
type Trace struct {
	// Doc has the positions of the user's file. For a patch that stands as a text in a kustomization it is a document of its
	// own, whose offsets are those of the kustomization.
	Doc  *manifest.Document
	Path manifest.Path
	// File and Span stand for Doc and Path where the place is in a text that is no YAML: a template.
	File *manifest.File
	Span manifest.Span
	What TraceKind
	// Exact tells that this place, and none other, gives the field its value; else it is only the best place to show.
	Exact bool
}

// Effect is what a place does to a field.
type Effect string

// The effects.
const (
	Sets    Effect = "sets"
	Deletes Effect = "deletes"
	// Tests: the build fails when the field has another value.
	Tests Effect = "tests"
	// Other: it is done to something around the field as well, or moves it.
	Other Effect = "other"
)

// Writer is a place that does something to a field of an applied object.
type Writer struct {
	// Kustomization and Entry are the entry that brings the patch in; nil for the object's own source.
	Kustomization *Kustomization
	Entry         manifest.Path
	// Inline leads to the scalar of the kustomization that the patch stands in. Doc is then that text by itself, with offsets
	// of its own; else it is a document of a file.
	Inline manifest.Path
	Doc    *manifest.Document
	// Path leads to the field in a manifest or a strategic merge patch, to the operation of a JSON patch, or the field in its
	// value, or to the item of fieldPaths in a replacement.
	Path   manifest.Path
	What   TraceKind
	Effect Effect
	// Filled tells that the place is a template, as that of an ApplicationSet: what is applied stands in no file.
	Filled bool
}

// Position is where it stands; for a patch inside a kustomization, where its text begins.
func (w Writer) Position() Position {
	if w.Inline != nil {
		return positionIn(w.Kustomization.Doc, w.Kustomization.Doc.Locate(w.Inline).Start)
	}
	return positionIn(w.Doc, w.Doc.Locate(w.Path).Start)
}

// Locate gives the bytes of that file.
func (t Trace) Locate() (*manifest.File, manifest.Span) {
	if t.Doc == nil {
		return t.File, t.Span
	}
	return t.Doc.File, t.Doc.Locate(t.Path)
}

// Position is where that begins.
func (t Trace) Position() Position {
	file, span := t.Locate()
	return positionOf(file, span.Start)
}

// Locate gives the place that set the field at a path inside the object: bytes of a user's file.
func (o *Object) Locate(path manifest.Path) (*manifest.File, manifest.Span) {
	if o.Applied == nil {
		return o.Doc.File, o.Doc.Locate(o.At(path))
	}
	return o.Applied.Trace(path)[0].Locate()
}

// Text is the document that the object's Node lies in: that of its file, or what was built.
func (o *Object) Text() *manifest.Document {
	if o.Applied == nil {
		return o.Doc
	}
	return o.Applied.Doc
}

// Source is the object as it stands in its file: itself where it is applied so, nil where no file has it.
func (o *Object) Source() *Object {
	if o.Applied == nil {
		return o
	}
	return o.Applied.Source
}

// InFile tells whether Doc is a document of a file of the user's, so that edits can be made in it. That of an object which a
// template was rendered to is a text the user has never seen, called like the template.
func (o *Object) InFile() bool { return o.Applied == nil || o.Applied.Doc != o.Doc }

// instance is 0 but for further objects of one source.
func (o *Object) instance() int {
	if o.Applied == nil {
		return 0
	}
	return o.Applied.Instance
}

// Build gives the unit with other objects: those that it applies in truth. The new unit remembers its own as Sources.
func (u *Unit) Build(applied []*Object) *Unit {
	built := u.like()
	built.Built, built.Objects, built.Sources = true, applied, u.Objects
	return built
}

// Unbuilt gives the unit with problems that kept it from being built: its objects are those of its files.
func (u *Unit) Unbuilt(problems ...Problem) *Unit {
	unbuilt := u.like()
	unbuilt.NotBuilt, unbuilt.Objects = true, u.Objects
	unbuilt.Problems = append(u.Problems[:len(u.Problems):len(u.Problems)], problems...)
	return unbuilt
}

// like gives a unit that is made of the same, without objects.
func (u *Unit) like() *Unit {
	return &Unit{
		Name: u.Name, Root: u.Root, Kind: u.Kind, Kustomizations: u.Kustomizations, Renderings: u.Renderings,
		Takes: u.Takes, Appliers: u.Appliers, Transforms: u.Transforms, Remotes: u.Remotes, NonObjectInputs: u.NonObjectInputs, Problems: u.Problems,
	}
}

// AsWritten are the objects of the unit's files, as they stand there.
func (u *Unit) AsWritten() []*Object {
	if u.Built {
		return u.Sources
	}
	return u.Objects
}

// For gives the unit as the one that these applications apply, and no others. The problems are what of it they say is not
// looked at.
func (u *Unit) For(appliers []Applier, problems ...Problem) *Unit {
	applied := u.like()
	applied.Objects, applied.Built, applied.Sources, applied.NotBuilt = u.Objects, u.Built, u.Sources, u.NotBuilt
	applied.Appliers, applied.Problems = appliers, nil
	for _, p := range append(problems, u.Problems...) { // the last one says why it is not built
		if !slices.Contains(applied.Problems, p) {
			applied.Problems = append(applied.Problems, p)
		}
	}
	return applied
}

package inventory

import "github.com/salint/salint/internal/manifest"

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
	// Instance tells those apart that come of one source in one unit: 0 for the first.
	Instance int
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
)

// Trace is a place in a file of the user's that sets a field of an applied object.
type Trace struct {
	// Doc has the positions of the user's file. For a patch that stands as a text in a kustomization it is a document of its
	// own, whose offsets are those of the kustomization.
	Doc  *manifest.Document
	Path manifest.Path
	What TraceKind
	// Exact tells that this place, and none other, gives the field its value; else it is only the best place to show.
	Exact bool
}

// Locate gives the place that set the field at a path inside the object: a document of a user's file, and the path in it.
func (o *Object) Locate(path manifest.Path) (*manifest.Document, manifest.Path) {
	if o.Applied == nil {
		return o.Doc, o.At(path)
	}
	first := o.Applied.Trace(path)[0]
	return first.Doc, first.Path
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

// instance is 0 but for further objects of one source.
func (o *Object) instance() int {
	if o.Applied == nil {
		return 0
	}
	return o.Applied.Instance
}

// Build gives the unit with other objects: those that it applies in truth. The new unit remembers its own as Sources.
func (u *Unit) Build(applied []*Object) *Unit {
	return &Unit{
		Name: u.Name, Root: u.Root, Kind: u.Kind, Built: true, Objects: applied, Sources: u.Objects,
		Kustomizations: u.Kustomizations, Transforms: u.Transforms, Remotes: u.Remotes, Claims: u.Claims,
		Problems: u.Problems,
	}
}

// Unbuilt gives the unit with problems that kept it from being built: its objects are those of its files.
func (u *Unit) Unbuilt(problems ...Problem) *Unit {
	return &Unit{
		Name: u.Name, Root: u.Root, Kind: u.Kind, NotBuilt: true, Objects: u.Objects,
		Kustomizations: u.Kustomizations, Transforms: u.Transforms, Remotes: u.Remotes, Claims: u.Claims,
		Problems: append(u.Problems[:len(u.Problems):len(u.Problems)], problems...),
	}
}

// AsWritten are the objects of the unit's files, as they stand there.
func (u *Unit) AsWritten() []*Object {
	if u.Built {
		return u.Sources
	}
	return u.Objects
}

package protocol

import "encoding/json"

// ChildFlag is the first argument of a child process, followed by its memory limit in bytes. It is formatted as a flag, so
// that other programs reject it at once.
const ChildFlag = "--render-child="

// Root is the root of the tree as kustomize sees it. Paths with too many `..` lead out of it and are recognized by that.
const Root = "/salint-root"

// ToChild is a message of the parent: a request, or the answer to a query.
type ToChild struct {
	Request *Request `json:",omitempty"`
	Answer  *Answer  `json:",omitempty"`
}

// FromChild is a message of the child: a query, a draft, or the result. A draft is the result without its most expensive
// part, in case that part exceeds a limit.
type FromChild struct {
	Query  *Query  `json:",omitempty"`
	Draft  *Result `json:",omitempty"`
	Result *Result `json:",omitempty"`
	// Used are the queries since the last message whose answers the child already had, see Answer.Ahead, in their order.
	Used []Query `json:",omitempty"`
}

// Request requests one rendering: exactly one of its fields is set.
type Request struct {
	Kustomize *Kustomize `json:",omitempty"`
	Chart     *Chart     `json:",omitempty"`
}

// Kustomize requests the build of a folder below Root.
type Kustomize struct {
	Dir string
	// Unrestricted lets kustomizations read files outside of their folders. The parent answers only about files of the repository.
	Unrestricted bool `json:",omitempty"`
}

// Chart requests the rendering of a chart, and contains all of its files.
type Chart struct {
	// Files have names relative to the chart. An archive is one file without a name.
	Files []File
	// Values are merged; later ones win.
	Values      []File
	ReleaseName string
	Namespace   string
	KubeVersion string
	APIVersions []string
	// Elsewhere requests what the chart renders on other clusters, and AnyKubeVersion that of other versions of Kubernetes. Stable leaves the alpha and beta versions out that Helm
	// takes for present without a cluster: a chart that is installed by asking the cluster does not see those that were removed.
	Elsewhere, AnyKubeVersion, Stable bool `json:",omitempty"`
	// Inline are values that are merged into the first file, if it is not nil. NameTemplate replaces the name of the release, if
	// it is not "".
	Inline       *InlineValues `json:",omitempty"`
	NameTemplate string        `json:",omitempty"`
	// Trace requests the pieces of the templates.
	Trace bool
}

// InlineValues are `valuesInline` of a kustomization.
type InlineValues struct {
	Data []byte
	// Merge is `valuesMerge`.
	Merge string
}

// The values of `valuesMerge`. The default is MergeOverride.
const (
	MergeOverride = "override"
	MergeMerge    = "merge"
	MergeReplace  = "replace"
)

// File is a file by name.
type File struct {
	Name string
	Data []byte
}

// Query asks for a path as kustomize sees it.
type Query struct {
	// Read requests the contents of a file; without it, the query only tests existence.
	Read bool
	Path string
}

// Answer is the answer to a query.
type Answer struct {
	// Error is why the query failed; "" if it succeeded.
	Error string
	// Path is the path with symlinks resolved, below Root; Dir is set if it is a folder.
	Path string
	Dir  bool
	Data []byte
	// Ahead are answers to queries that probably come next, because each query interrupts two processes. The child does not send a
	// query whose answer it has, but reports it with its next message.
	Ahead []Prepared `json:",omitempty"`
}

// Prepared is a query with its answer, which has no further ones.
type Prepared struct {
	Query  Query
	Answer Answer
}

// Result is the result of a request.
type Result struct {
	Error *Error `json:",omitempty"`
	// Objects are the objects that kustomize built, in its order.
	Objects []json.RawMessage
	// Templates are the rendered templates of a chart, in the order of their sources.
	Templates []Template
	// Sources are all templates of a chart, including those that only others use; pieces reference them. They are part of a
	// trace.
	Sources []Source `json:",omitempty"`
	// Notes list what was left out.
	Notes []string
	// Varies is set if the same request can have another result at another time: templates of the chart may read the clock.
	Varies bool `json:",omitempty"`
	// Elsewhere is what a chart renders differently on other clusters.
	Elsewhere []Elsewhere `json:",omitempty"`
}

// NewestKubeVersion stands for versions of Kubernetes that do not exist yet.
const NewestKubeVersion = "v1.40.0"

// Elsewhere is what a chart renders on clusters that differ in one thing: they have APIVersions, which templates test without naming them, do
// not have the Removed ones, which Helm takes for present, or are of KubeVersion.
type Elsewhere struct {
	APIVersions, Removed []string `json:",omitempty"`
	KubeVersion          string   `json:",omitempty"`
	// Templates are those with another text, in the order of their names.
	Templates []Template
}

// Template is a rendered file of a chart.
type Template struct {
	// Name is Helm's name for the template: the names of the charts that contain it, and its path.
	Name string
	// File is its path, relative to the chart; for a template in an archive, that of the archive.
	File string
	// Inside is its path in the archive, otherwise "".
	Inside string
	// Source is the unrendered text, Text the rendered one.
	Source, Text string
	// CRD is set for a file of crds/, which Helm does not render.
	CRD bool
	// Traced is set if the text was traced: Pieces, each after its parent.
	Traced bool
	Pieces []Piece `json:",omitempty"`
}

// Source is an unrendered template; the fields are those of Template.
type Source struct{ Name, File, Inside, Text string }

// Piece is a part of a rendered text and the part of a source that wrote it, as numbers indexed by the constants.
type Piece [6]int

// The numbers of a piece: its offsets in the text, the index of the source, its offsets in that, and the index of the
// parent piece, -1 if there is none.
const (
	PieceStart = iota
	PieceEnd
	PieceSource
	PieceFrom
	PieceTo
	PieceParent
)

// Error is why there is no result.
type Error struct {
	Message string
	// File and Inside are the template of a chart, as in Template, and Line the line; "" and 0 if unknown.
	File, Inside string
	Line, Column int
}

// Size returns the bytes of a result.
func (r *Result) Size() int64 {
	size := 0
	for _, object := range r.Objects {
		size += len(object)
	}
	for _, template := range r.Templates {
		size += len(template.Text)
	}
	for _, there := range r.Elsewhere {
		for _, template := range there.Templates {
			size += len(template.Text)
		}
	}
	return int64(size)
}

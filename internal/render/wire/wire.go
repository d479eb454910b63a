package wire

import "encoding/json"

// ChildFlag is the first argument of a child process; the limit of its memory in bytes follows. It begins like a flag, so
// that a program which does not know it stops at once.
const ChildFlag = "--render-child="

// Root is where kustomize sees the tree. Paths with too many `..` lead out of it, and are known by that.
const Root = "/salint-root"

// ToChild is what the parent sends: a request, or the answer to a query.
type ToChild struct {
	Request *Request `json:",omitempty"`
	Answer  *Answer  `json:",omitempty"`
}

// FromChild is what the child sends: a query, a draft or the result of the request. A draft is the result without what
// costs more than the rest: it is for the case that the rest costs too much.
type FromChild struct {
	Query  *Query  `json:",omitempty"`
	Draft  *Result `json:",omitempty"`
	Result *Result `json:",omitempty"`
}

// Request asks for one rendering: one of its fields is set.
type Request struct {
	Kustomize *Kustomize `json:",omitempty"`
	Chart     *Chart     `json:",omitempty"`
}

// Kustomize asks for the build of a folder below Root.
type Kustomize struct{ Dir string }

// Chart asks for the rendering of a chart, all of whose files come with the request.
type Chart struct {
	// Files are named relative to the chart. An archive is one file without a name.
	Files []File
	// Values are merged, the later win.
	Values      []File
	ReleaseName string
	Namespace   string
	KubeVersion string
	APIVersions []string
	// Trace asks for the pieces of the templates.
	Trace bool
}

// File is a file by name.
type File struct {
	Name string
	Data []byte
}

// Query is a question about a path as kustomize sees it.
type Query struct {
	// Read asks for the bytes of a file; without it, the question is what is there.
	Read bool
	Path string
}

// Answer is the answer to a query.
type Answer struct {
	// Error says why there is no answer; "" when there is one.
	Error string
	// Path is where symlinks lead, again below Root, and Dir tells whether that is a folder.
	Path string
	Dir  bool
	Data []byte
}

// Result is the end of a request.
type Result struct {
	Error *Error `json:",omitempty"`
	// Objects are what kustomize built, in its order.
	Objects []json.RawMessage
	// Templates are what a chart rendered to, in the order of their sources.
	Templates []Template
	// Sources are all templates of a chart, those that are only for others included; pieces refer to them. They come with
	// a trace.
	Sources []Source `json:",omitempty"`
	// Notes say what was left out.
	Notes []string
}

// Template is one rendered file of a chart.
type Template struct {
	// Name is what Helm calls the template: the names of the charts it lies in, and its path.
	Name string
	// File is where it lies, relative to the chart: for one in an archive, the archive.
	File string
	// Inside is its path inside the archive, "" for one that lies in no archive.
	Inside string
	// Source is the unrendered text, Text what became of it.
	Source, Text string
	// CRD is true for a file of crds/, which Helm does not render.
	CRD bool
	// Traced is true when it is known where the text came from: Pieces, each behind that around it.
	Traced bool
	Pieces []Piece `json:",omitempty"`
}

// Source is a template as it was written; the fields are those of Template.
type Source struct{ Name, File, Inside, Text string }

// Piece is a stretch of a rendered text and the stretch of a source that wrote it, in the numbers that the constants name.
type Piece [6]int

// The numbers of a piece: its bytes in the text, the index of the source, its bytes in that, and the index of the piece
// around it, -1 when there is none.
const (
	PieceStart = iota
	PieceEnd
	PieceSource
	PieceFrom
	PieceTo
	PieceParent
)

// Error says why there is no result.
type Error struct {
	Message string
	// File and Inside say which template of a chart, as in Template, and Line where; "" and 0 when that is not known.
	File, Inside string
	Line, Column int
}

// Size is how many bytes a result has to say.
func (r *Result) Size() int64 {
	size := 0
	for _, object := range r.Objects {
		size += len(object)
	}
	for _, template := range r.Templates {
		size += len(template.Text)
	}
	return int64(size)
}

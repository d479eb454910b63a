package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/olm"
)

// Object is a Kubernetes object as its manifest defines it: a whole document, or an item of a List or a Template. In a
// built unit it is the object as the unit applies it.
type Object struct {
	APIVersion, Group, Kind string
	// Namespace and Name are "" if the manifest does not set them, or not to a scalar.
	Namespace, Name string
	Doc             *manifest.Document
	// Path leads to the object inside its document: items[0], objects[1]; it is empty for a whole document.
	Path manifest.Path
	Node *manifest.Node
	// File is the path of the file, relative to the root of the repository.
	File string
	// Applied is nil if the file is applied unchanged.
	Applied *Applied
	// Embedding is set for an object that another object holds, and that a controller applies; nil for others.
	Embedding *Embedding

	// unlabeled is the object without the labels of its application, see Labeled; nil for others.
	unlabeled *Object

	decodeOnce sync.Once
	decoded    map[string]any
	references lazy[[]Reference]
}

// Ref identifies the object in the repository, in the form file#document/path, with @2 and so on for further objects that a
// unit derives from it. It is the same in every unit and in every run over the same bytes.
func (o *Object) Ref() string {
	ref := o.File + "#" + strconv.Itoa(o.Doc.Index) + "/" + o.Path.String()
	if n := o.instance(); n > 0 {
		ref += "@" + strconv.Itoa(n+1)
	}
	return ref
}

// JSON is the object as a policy receives it. It is decoded once and shared; callers must not change it.
func (o *Object) JSON() map[string]any {
	o.decodeOnce.Do(func() {
		decoded, ok := o.Node.Decode().(map[string]any)
		if !ok {
			decoded = map[string]any{}
		}
		if _, own := decoded["kind"]; !own {
			// an item of a typed list can take its type from the list
			decoded["apiVersion"], decoded["kind"] = o.APIVersion, o.Kind
		}
		if o.Embedding != nil {
			o.Embedding.completeJSON(o, decoded)
		}
		o.decoded = decoded
	})
	return o.decoded
}

// Extension is olm.ReadExtension of the object. Most objects are of another API group, and their nodes are not read.
func (o *Object) Extension() (extension olm.Extension, ok bool) {
	if !strings.HasPrefix(o.APIVersion, olm.APIGroup) {
		return olm.Extension{}, false
	}
	return olm.ReadExtension(o.Node)
}

// References lists the accounts that the object refers to, as AccountReferences without further kinds. It is computed once and shared;
// callers must not change it.
func (o *Object) References() []Reference {
	return o.references.get(func() []Reference { return AccountReferences(o) })
}

// At converts a path inside the object to a path inside its document, as [manifest.Document.Locate] and the editor require.
func (o *Object) At(path manifest.Path) manifest.Path { return o.Path.Join(path...) }

// Position is the position of the field at a path inside the object, or of its nearest existing ancestor, in the file that
// sets its value.
func (o *Object) Position(path manifest.Path) Position {
	file, span := o.Locate(path)
	return positionOf(file, span.Start)
}

// Position is a position in a file of the repository. Line and column are 1-based.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// PositionIn returns the position of an offset in the file of a document.
func PositionIn(doc *manifest.Document, offset int) Position { return positionOf(doc.File, offset) }

func positionOf(file *manifest.File, offset int) Position {
	line, column := file.Position(offset)
	return Position{File: file.Path, Line: line, Column: column}
}

// Compare orders objects by file, document, and path. Objects that a unit derives from one source are in the order of the
// build.
func Compare(a, b *Object) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Doc.Index, b.Doc.Index),
		slices.CompareFunc(a.Path, b.Path, compareSteps),
		cmp.Compare(a.instance(), b.instance()),
	)
}

// SortedOnce sorts objects and removes duplicates.
func SortedOnce(objs []*Object) []*Object {
	slices.SortFunc(objs, Compare)
	return slices.Compact(objs)
}

// compareSteps orders the steps of paths, and compares indexes as numbers: items[2] comes before items[10].
func compareSteps(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

// ReleaseNamespace is the release namespace with which charts are rendered if it is unknown. Objects that have it are in
// the same namespace, which can be any.
const ReleaseNamespace = "release-namespace"

// SameNamespace reports whether two manifests can be in the same namespace: they set the same one, or one of them sets
// none. A manifest without a namespace gets one when it is applied, and it is unknown here which.
func SameNamespace(a, b string) bool { return a == b || anyNamespace(a) || anyNamespace(b) }

func anyNamespace(name string) bool { return name == "" || name == ReleaseNamespace }

// SplitAPIVersion splits group/version. The group of `v1` is "", the core group.
func SplitAPIVersion(apiVersion string) (group, version string) {
	if i := strings.LastIndexByte(apiVersion, '/'); i >= 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

package engine

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Plan is what a fix wants to do. It declares everything: package verify refuses a plan whose bytes, once edited, differ
// from what stands here in any other way.
type Plan struct {
	Fixer string
	// Kind is that of the request, but where the fix turned out to be another one.
	Kind finding.FixKind
	// Description says in one sentence what is done.
	Description string
	// Object is what the fix is about.
	Object *objects.Object
	// Changes are made to documents that are there, Documents are generated.
	Changes   []Change
	Documents []Document
	// Texts are changes of files that are no manifests: templates of charts.
	Texts []TextChange
	// Applied and Added say what becomes of units that are built: their objects as they are applied. What is not said there
	// stays as it is.
	Applied []AppliedChange
	Added   []AppliedObject
	// Gains and Losses are the grants that identities get and lose by the bindings that are generated, edited or removed.
	Gains, Losses []GrantChange
	// Switches are extensions that OLM will act for as somebody else.
	Switches []Switch
	// Notes are what the user should know about the plan, one sentence each.
	Notes []string
	// RemovedToken is the Secret whose token the plan takes out of a pod; nil for other plans.
	RemovedToken *RemovedTokenSecret
	// SharedPatches are patches that go and also do something to other objects.
	SharedPatches []SharedPatch
	// Needs are plans without which this one must not be carried out.
	Needs []*Plan
}

// Op is what a change does.
type Op string

// The operations. A path in a sequence ends in an index, which counts in the document as it was.
const (
	// RemoveValue deletes the field or item at the path.
	RemoveValue Op = "remove"
	// SetText replaces the scalar at the path by the text Value.
	SetText Op = "set"
	// AddField adds the field at the path, behind its sibling After; "" is the end of the mapping.
	AddField Op = "add"
	// ReplaceField deletes the field at the path and adds it again, as AddField does.
	ReplaceField Op = "replace"
	// RenameField gives the field at the path the key Value; its value and its place stay.
	RenameField Op = "rename"
	// AppendItem adds an item to the end of the sequence at the path.
	AppendItem Op = "append"
	// RemoveDocument deletes the whole document.
	RemoveDocument Op = "remove-document"
)

// Change is one difference between a document before and after.
type Change struct {
	File string
	// Document is the index of the document in its file.
	Document int
	Op       Op
	// Path leads from the top of the document.
	Path  manifest.Path
	After string
	// Value is a string, a map[string]any or a []any of such.
	Value any
	// Order is the place among the writes of a run: repo.OrderGrant and its like.
	Order int
}

// Document is a generated object. It goes into a file of its own or to the end of one that salint generated earlier.
type Document struct {
	File string
	// Object is the object's identity, Text its YAML with line feeds and without a marker.
	Object ObjectName
	Text   string
	// CRLF asks for the line ends of Windows where the file is a new one.
	CRLF bool
	// Template tells that Text is a template of a chart, and no YAML before it is rendered: a new file has exactly that.
	Template bool
}

// TextChange replaces bytes of a file that is no manifest.
type TextChange struct {
	File string
	Span manifest.Span
	New  string
	// Order is the place among the writes of a run.
	Order int
}

// AppliedChange is a difference in an object that a unit builds.
type AppliedChange struct {
	Unit *objects.Unit
	// Object is the object of the unit before.
	Object *objects.Object
	// Op is RemoveValue, SetText, AddField, AppendItem, or RemoveDocument for the whole object; Path leads from the top of the
	// object, and Value is as in Change.
	Op    Op
	Path  manifest.Path
	Value any
}

// AppliedObject is an object that a unit builds afterwards and did not before.
type AppliedObject struct {
	Unit *objects.Unit
	// JSON is the object. Where Affixed is set the build may put something before and behind its name and add labels and
	// annotations; else it is exactly that.
	JSON    map[string]any
	Affixed bool
}

// GrantChange is a grant that an identity gains or loses.
type GrantChange struct {
	Subject rbac.Subject
	Grant   rbac.Grant
	// Unit is the only one in which that is so; nil stands for all units that apply what the plan is about.
	Unit *objects.Unit
	// Reason says why a loss is meant: one of the reasons below.
	Reason string
}

// The reasons for losses.
const (
	// Pruned: nobody acts as the identity any more.
	Pruned = "pruned"
	// Replaced: the identity is granted something else instead, which the user asked for.
	Replaced = "replaced"
	// Corrected: the subject matched nobody, and now names somebody else.
	Corrected = "corrected"
)

// Switch is an extension that OLM acts for as another identity than before.
type Switch struct {
	Extension *objects.Object
	// Unit is the only one in which that is so, in which Extension is an object; nil stands for all that apply its file.
	Unit     *objects.Unit
	From, To rbac.Subject
	// Lost and Gained are what the new identity has less and more than the old one; the user asked for it, or it comes
	// from groups that the identity is in.
	Lost, Gained []rbac.Grant
}

// RemovePath adds the removal of a field of an object.
func (p *Plan) RemovePath(o *objects.Object, path manifest.Path, order int) {
	p.AddChange(o, Change{Op: RemoveValue, Path: o.At(path), Order: order})
}

// AddChange adds a change whose path already leads from the top of the document.
func (p *Plan) AddChange(o *objects.Object, c Change) {
	c.File, c.Document = o.File, o.Doc.Index
	p.Changes = append(p.Changes, c)
}

// RemoveObject adds the removal of a whole object: its document, or its item in a list.
func (p *Plan) RemoveObject(o *objects.Object, order int) {
	if len(o.Path) == 0 {
		p.AddChange(o, Change{Op: RemoveDocument, Order: order})
		return
	}
	p.RemovePath(o, nil, order)
}

func (p *Plan) AddNote(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// Touches tells whether a plan changes an object.
func (p *Plan) Touches(o *objects.Object) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.File == o.File && c.Document == o.Doc.Index && len(c.Path) >= len(o.Path) && slices.Equal(c.Path[:len(o.Path)], o.Path)
	})
}

// SharedPatch is a patch that a plan removes, with another extension that it sets the field of.
type SharedPatch struct {
	Place objects.Position
	Other *objects.Object
}

// RemovedTokenSecret is the Secret of a token that a plan takes out of a pod.
type RemovedTokenSecret struct {
	Secret *objects.Object
	// Names are those that units apply it under, and that of its manifest.
	Names []string
	// Mount is the place that names it no longer.
	Mount string
}

package engine

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Plan is what a fix does. It declares every change: package verify refuses a plan whose edits change anything that is not
// declared here.
type Plan struct {
	Fixer string
	// Kind is the kind of the request, unless the fixer found that its fix is of another kind.
	Kind finding.FixKind
	// Description describes the fix in one sentence.
	Description string
	// Object is the object of the finding.
	Object *objects.Object
	// Changes are made to existing documents; Documents are generated.
	Changes   []Change
	Documents []Document
	// Texts are changes of files that are not manifests: templates of charts.
	Texts []TextChange
	// Applied and Added declare the changes of units that are built, in terms of the applied objects. What is not declared
	// there does not change.
	Applied []AppliedChange
	Added   []AppliedObject
	// Gains and Losses are the grants that identities gain and lose by the bindings that are generated, edited, or removed.
	Gains, Losses []GrantChange
	// Switches are extensions for which OLM will act as another identity.
	Switches []Switch
	// Notes are what the user should know about the plan, one sentence each.
	Notes []string
	// RemovedToken is the Secret whose token the plan removes from a pod; nil for other plans.
	RemovedToken *RemovedTokenSecret
	// SharedPatches are patches that the plan removes and that also change other objects.
	SharedPatches []SharedPatch
	// ReadElsewhere are the places at which something that salint does not build reads a file of the plan.
	ReadElsewhere []string
	// Needs are plans without which this plan must not be carried out.
	Needs []*Plan
}

// Op is the operation of a change.
type Op string

// The operations. An index at the end of a path counts in the document before all changes.
const (
	// RemoveValue deletes the field or item at the path.
	RemoveValue Op = "remove"
	// SetText replaces the scalar at the path with the text Value.
	SetText Op = "set"
	// SetValue replaces the value at the path where it is, with a value of any type.
	SetValue Op = "set-value"
	// AddField adds the field at the path after its sibling After; "" stands for the end of the mapping.
	AddField Op = "add"
	// ReplaceField deletes the field at the path and adds it again, as AddField does.
	ReplaceField Op = "replace"
	// RenameField gives the field at the path the key Value. The value and the place of the field do not change.
	RenameField Op = "rename"
	// AppendItem adds an item to the end of the sequence at the path.
	AppendItem Op = "append"
	// RemoveDocument deletes the whole document.
	RemoveDocument Op = "remove-document"
	// SetChecksum gives the scalar at the path, a SHA-256 hash, the value of another one. It is only for built objects.
	SetChecksum Op = "set-checksum"
)

// Change is one difference between a document before and after.
type Change struct {
	File string
	// Document is the index of the document in its file.
	Document int
	Op       Op
	// Path starts at the top of the document.
	Path  manifest.Path
	After string
	// Value is a string, a map[string]any, or a []any of these; for SetValue and AddField also a number, a boolean, or nil.
	Value any
	// Comments are written with a field that is added by AddField.
	Comments []manifest.FieldComments
	// Order is the position among the writes of a run: commit.OrderGrant and so on.
	Order int
}

// Document is a generated object. It is written to a separate file, or appended to a file that salint generated earlier.
type Document struct {
	File string
	// Object is the name of the object. Text is its YAML, with line feeds and without a document marker.
	Object ObjectName
	Text   string
	// CRLF writes a new file with the line ends of Windows, NoFinalBreak one without a line break at its end.
	CRLF, NoFinalBreak bool
	// Template is set if Text is a template of a chart, which is no YAML before it is rendered. A new file has exactly this
	// text.
	Template bool
}

// TextChange replaces bytes of a file that is not a manifest.
type TextChange struct {
	File string
	Span manifest.Span
	New  string
	// Order is the position among the writes of a run.
	Order int
	// Document is set if Span is a whole document of a template, which is removed with what separates it from others. A file
	// without other documents is deleted.
	Document bool
}

// AppliedChange is a difference in an object that a unit builds.
type AppliedChange struct {
	Unit *objects.Unit
	// Object is the object of the unit before the change.
	Object *objects.Object
	// Op is RemoveValue, SetText, SetValue, AddField, AppendItem, SetChecksum, or RemoveDocument for the whole object. Path starts at the top of the
	// object. Value is as in Change.
	Op    Op
	Path  manifest.Path
	Value any
}

// AppliedObject is an object that a unit builds after the changes and did not build before.
type AppliedObject struct {
	Unit *objects.Unit
	// JSON is the object. If Affixed is set, the build can add a prefix and a suffix to its name, and labels and annotations;
	// otherwise the object is exactly this.
	JSON    map[string]any
	Affixed bool
}

// GrantChange is a grant that an identity gains or loses.
type GrantChange struct {
	Subject rbac.Subject
	Grant   rbac.Grant
	// Unit is the only unit of the change; nil stands for all units that apply the object of the plan.
	Unit *objects.Unit
	// Binding is the binding that grants it; nil if several or none do.
	Binding *objects.Object
	// Reason is why a loss is intended: one of the reasons below.
	Reason string
}

// The reasons for losses.
const (
	// Pruned: no extension acts as the identity.
	Pruned = "pruned"
	// Replaced: the identity is granted something else instead, as the user asked.
	Replaced = "replaced"
	// Corrected: the subject matched no identity, and now names one.
	Corrected = "corrected"
)

// Switch is an extension for which OLM acts as another identity than before.
type Switch struct {
	Extension *objects.Object
	// Unit is the only unit of the switch, and Extension an object of that unit; nil stands for all units that apply the file
	// of the extension.
	Unit     *objects.Unit
	From, To rbac.Subject
	// Lost and Gained are the grants that the new identity has less and more than the old one: the user asked for it, or they
	// come from groups of the identity.
	Lost, Gained []rbac.Grant
	// Beside are the bindings of From in other units that are on every cluster of this one.
	Beside []rbac.Binding
}

// RemovePath adds the removal of a field of an object.
func (p *Plan) RemovePath(o *objects.Object, path manifest.Path, order int) {
	p.AddChange(o, Change{Op: RemoveValue, Path: o.At(path), Order: order})
}

// AddChange adds a change whose path starts at the top of the document of an object.
func (p *Plan) AddChange(o *objects.Object, c Change) {
	c.File, c.Document = o.File, o.Doc.Index
	p.Changes = append(p.Changes, c)
}

// RemoveObject adds the removal of an object: of its document, or of its item in a list.
func (p *Plan) RemoveObject(o *objects.Object, order int) {
	if len(o.Path) == 0 {
		p.AddChange(o, Change{Op: RemoveDocument, Order: order})
		return
	}
	p.RemovePath(o, nil, order)
}

// AddNote adds a formatted note.
func (p *Plan) AddNote(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// Touches reports whether a plan changes an object.
func (p *Plan) Touches(o *objects.Object) bool {
	if !o.InFile() {
		return slices.ContainsFunc(p.Applied, func(a AppliedChange) bool { return a.Object == o })
	}
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.File == o.File && c.Document == o.Doc.Index && len(c.Path) >= len(o.Path) && slices.Equal(c.Path[:len(o.Path)], o.Path)
	})
}

// SharedPatch is a patch that a plan removes, and another extension whose field the patch sets.
type SharedPatch struct {
	Place objects.Position
	Other *objects.Object
}

// RemovedTokenSecret is the Secret of a token that a plan removes from a pod.
type RemovedTokenSecret struct {
	Secret *objects.Object
	// Names are the names under which units apply the Secret, and the name in its manifest.
	Names []string
	// Mount is the place that no longer names the Secret.
	Mount string
}

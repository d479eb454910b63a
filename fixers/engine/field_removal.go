package engine

import (
	"strconv"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// WriterKey returns a key that identifies a writer across units.
func WriterKey(w objects.Writer) string {
	return WriterTextKey(w) + "\n" + w.Path.String()
}

// WriterTextKey returns a key for the text that a writer is part of: a file can hold several documents with patches at the
// same path.
func WriterTextKey(w objects.Writer) string {
	if w.Inline == nil {
		return Change{File: w.Doc.File.Path, Document: w.Doc.Index}.key()
	}
	in := w.Kustomization.Doc
	return Change{File: in.File.Path, Document: in.Index, Path: w.Inline.Join(strconv.Itoa(w.Doc.Index))}.key()
}

// FieldRemoval collects the writers of fields to remove. Writers in Keep stay.
type FieldRemoval struct {
	Keep    map[string]bool
	seen    map[string]bool
	Writers []objects.Writer
}

// Add adds writers to remove. Each writer counts once.
func (r *FieldRemoval) Add(writers ...objects.Writer) {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	for _, w := range writers {
		if key := WriterKey(w); !r.seen[key] {
			r.seen[key] = true
			r.Writers = append(r.Writers, w)
		}
	}
}

// AppendToKustomization adds an item to a list of a kustomization. It adds the list if there is none.
func (p *Plan) AppendToKustomization(k *objects.Kustomization, field string, item any, order int) {
	change := Change{File: k.Path, Document: k.Doc.Index, Op: AppendItem, Path: manifest.Path{field}, Value: item, Order: order}
	if k.Doc.Root.Get(field) == nil {
		change.Op, change.Value = AddField, []any{item}
	}
	p.Changes = append(p.Changes, change)
}

// WritersOf returns what writes a field of an object: for an object that is applied as written, only its file.
func WritersOf(o *objects.Object, path manifest.Path) []objects.Writer {
	switch {
	case o.Applied != nil && o.Applied.Writers != nil:
		return o.Applied.Writers(path)
	case o.Applied != nil || o.Node.Lookup(path) == nil:
		return nil
	}
	return []objects.Writer{{Doc: o.Doc, Path: o.At(path), What: objects.Base, Effect: objects.Sets}}
}

// CheckWriters refuses writers of a field whose effect on it cannot be undone separately.
func CheckWriters(writers []objects.Writer, field string) error {
	for _, w := range writers {
		switch {
		case w.Filled:
			return Refuse("%s at %s sets %s, but its text is not in the file as it is applied: change it there by hand", w.Entry, w.Position(), field)
		case w.Effect == objects.Other:
			return Refuse("%s at %s changes %s and other fields: change it by hand"+CompareBuilds, w.Entry, w.Position(), field)
		}
	}
	return nil
}

// RefuseUnknownWriter refuses to change a field whose value in a unit comes from an unknown writer. The position is that of the
// field in the unit.
func RefuseUnknownWriter(o applied.Form, field string, position objects.Position) error {
	return Refuse("%s sets %s of %s in %s in an unknown way: change it there by hand", position, field, NameOf(o.Object), o.Unit)
}

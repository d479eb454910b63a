package fixers

import (
	"strconv"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// writerKey tells writers apart, across units.
func writerKey(w objects.Writer) string {
	return writerTextKey(w) + "\n" + w.Path.String()
}

// writerTextKey tells the texts apart in which writers stand: a file may hold several documents with patches at the same path.
func writerTextKey(w objects.Writer) string {
	if w.Inline == nil {
		return Change{File: w.Doc.File.Path, Document: w.Doc.Index}.key()
	}
	in := w.Kustomization.Doc
	return Change{File: in.File.Path, Document: in.Index, Path: w.Inline.Join(strconv.Itoa(w.Doc.Index))}.key()
}

// fieldRemoval gathers what is to be removed.
type fieldRemoval struct {
	keep    map[string]bool
	seen    map[string]bool
	writers []objects.Writer
}

func (r *fieldRemoval) add(writers ...objects.Writer) {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	for _, w := range writers {
		if key := writerKey(w); !r.seen[key] {
			r.seen[key] = true
			r.writers = append(r.writers, w)
		}
	}
}

// appendToKustomization adds an item to a list of a kustomization, and the list where there is none.
func (p *Plan) appendToKustomization(k *objects.Kustomization, field string, item any, order int) {
	change := Change{File: k.Path, Document: k.Doc.Index, Op: AppendItem, Path: manifest.Path{field}, Value: item, Order: order}
	if k.Doc.Root.Get(field) == nil {
		change.Op, change.Value = AddField, []any{item}
	}
	p.Changes = append(p.Changes, change)
}

// writersOf lists what does something to a field of an object: where it is applied as it stands, its file alone.
func writersOf(o *objects.Object, path manifest.Path) []objects.Writer {
	switch {
	case o.Applied != nil && o.Applied.Writers != nil:
		return o.Applied.Writers(path)
	case o.Applied != nil || o.Node.Lookup(path) == nil:
		return nil
	}
	return []objects.Writer{{Doc: o.Doc, Path: o.At(path), What: objects.Base, Effect: objects.Sets}}
}

package engine

import (
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// patchDocument is a document from which fields are removed: a manifest, a patch in a file, or an inline patch of a
// kustomization.
type patchDocument struct {
	objects.Writer // one of those in the document
	paths          []manifest.Path
}

// AddChanges adds the changes that remove the collected writers, document by document.
func (r *FieldRemoval) AddChanges(p *Plan) error {
	texts := map[string]*patchDocument{}
	var order []string
	for _, w := range r.Writers {
		key := WriterTextKey(w)
		if texts[key] == nil {
			texts[key] = &patchDocument{Writer: w}
			order = append(order, key)
		}
		texts[key].paths = append(texts[key].paths, w.Path)
	}
	for _, key := range order {
		if err := texts[key].remove(p); err != nil {
			return err
		}
	}
	return nil
}

// remove adds the changes of one document to the plan. A patch that is left without effect is removed with its entry in the
// kustomization, or with its document.
func (t *patchDocument) remove(p *Plan) error {
	paths, emptied := t.widened()
	switch {
	case t.Inline != nil && emptied:
		p.AddDocumentChange(t.Kustomization.Doc, Change{Op: RemoveValue, Path: t.Entry})
		return nil
	case emptied:
		p.AddDocumentChange(t.Doc, Change{Op: RemoveDocument})
		return nil
	case t.Inline != nil:
		text, err := t.without(paths)
		if err != nil {
			return Refuse("the patch at %s cannot be edited (%v): remove the field there by hand", t.Position(), err)
		}
		p.AddDocumentChange(t.Kustomization.Doc, Change{Op: SetText, Path: t.Inline, Value: text})
		return nil
	}
	for _, path := range paths {
		p.AddDocumentChange(t.Doc, Change{Op: RemoveValue, Path: path})
	}
	return nil
}

// AddDocumentChange adds a change of a document.
func (p *Plan) AddDocumentChange(doc *manifest.Document, c Change) {
	c.File, c.Document, c.Order = doc.File.Path, doc.Index, repo.OrderOther
	p.Changes = append(p.Changes, c)
}

// without returns the text of an inline patch without some fields.
func (t *patchDocument) without(paths []manifest.Path) (string, error) {
	slices.SortFunc(paths, func(a, b manifest.Path) int { return slices.CompareFunc(b, a, compareSteps) })
	text := t.Doc.File.Data
	for _, path := range paths {
		var err error
		if text, err = EditText(t.Doc, text, RemoveValue, Change{Path: path}); err != nil {
			return "", err
		}
	}
	return string(text), nil
}

// widened returns the paths, each widened to the outermost element that is left empty, and whether the document is left
// without any effect.
func (t *patchDocument) widened() (paths []manifest.Path, emptied bool) {
	switch t.What {
	case objects.StrategicPatch:
		return widenToEmptied(t.Doc.Root, t.paths)
	case objects.JSONPatch:
		items := 0
		for _, path := range t.paths {
			items += boolInt(len(path) == 1)
		}
		return t.paths, items == len(t.Doc.Root.Items())
	}
	return t.paths, false
}

// widenToEmptied widens paths of a strategic merge patch to the outermost fields that hold nothing else.
func widenToEmptied(root *manifest.Node, paths []manifest.Path) (wide []manifest.Path, emptied bool) {
	gone := map[string]bool{}
	for again := true; again; {
		again = false
		wide = wide[:0:0]
		for _, path := range paths {
			gone[path.String()] = true
			for len(path) > 1 && allGone(root.Lookup(path[:len(path)-1]), path[:len(path)-1], gone) {
				path = path[:len(path)-1]
				again = again || !gone[path.String()]
				gone[path.String()] = true
			}
			if !slices.ContainsFunc(wide, func(other manifest.Path) bool { return slices.Equal(path, other) }) {
				wide = append(wide, path)
			}
		}
	}
	for _, field := range root.Fields() {
		switch key := field.Key.String(); {
		case key == "apiVersion", key == "kind", gone[key]:
		case key == "metadata" && onlyNames(field.Value):
		default:
			return wide, false
		}
	}
	return wide, true
}

func allGone(n *manifest.Node, path manifest.Path, gone map[string]bool) bool {
	return n.IsMapping() && !slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return !gone[path.Join(f.Key.String()).String()] })
}

// onlyNames reports whether metadata holds nothing but the name and the namespace of an object.
func onlyNames(metadata *manifest.Node) bool {
	return !slices.ContainsFunc(metadata.Fields(), func(f manifest.Field) bool {
		return f.Key.String() != "name" && f.Key.String() != "namespace"
	})
}

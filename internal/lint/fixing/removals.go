package fixing

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// removals are what the plans of a round remove. A run can have thousands of plans and of findings, so each finding is looked up.
type removals struct {
	parts map[removedPart]bool
	// rendered are the objects of templates: a template has no changes of documents.
	rendered map[*objects.Object]bool
}

// removedPart is a part of a document; the path of the whole document is empty.
type removedPart struct {
	file     string
	document int
	path     string
}

func newRemovedPart(file string, document int, path manifest.Path) removedPart {
	return removedPart{file, document, strings.Join(path, "\x00")}
}

func removalsOf(plans []*engine.Plan) removals {
	r := removals{map[removedPart]bool{}, map[*objects.Object]bool{}}
	for _, p := range plans {
		for _, a := range p.Applied {
			if a.Op == engine.RemoveDocument && !a.Object.InFile() {
				r.rendered[a.Object] = true
			}
		}
		for _, c := range p.Changes {
			if c.Op == engine.RemoveDocument || c.Op == engine.RemoveValue {
				r.parts[newRemovedPart(c.File, c.Document, c.Path)] = true
			}
		}
	}
	return r
}

// isRemoved reports whether another fix of this run removes the field or the document that a finding is about.
func (r removals) isRemoved(m result) bool {
	if len(r.parts)+len(r.rendered) == 0 || m.Fix != nil && m.Fix.Applied {
		return false
	}
	object := m.Report.Object
	if r.rendered[object] {
		return true
	}
	path := object.At(m.Report.Path)
	for n := range len(path) + 1 {
		if r.parts[newRemovedPart(object.File, object.Doc.Index, path[:n])] {
			return true
		}
	}
	return false
}

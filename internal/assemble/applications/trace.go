package applications

import (
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/kube/objects"
)

// traceTo returns the trace of a field of an application.
func traceTo(place view.Location) objects.Trace {
	o := place.Object
	if o.Applied == nil {
		return objects.Trace{Doc: o.Doc, Path: o.At(place.Path), What: objects.Transformer, Exact: true}
	}
	trace := o.Applied.Trace(place.Path)[0]
	trace.What = objects.Transformer
	return trace
}

// patchOf locates the text of a patch. In an Application it is a block of the user's file; in a generated application it is
// the result of a template, and cannot be edited.
func patchOf(p sources.Patch) overlay.EditPatch {
	found := overlay.EditPatch{Trace: readOnlyTrace(p.Location)}
	o, path := p.Patch.Location.Object, p.Patch.Location.Path
	if o == nil || len(path) == 0 || p.Patch.Value == "" {
		return found
	}
	at := traceOf(o, path)[0]
	if at.Doc == nil || at.What != objects.Base || !at.Exact || at.Doc.Root.Lookup(at.Path).String() != p.Patch.Value {
		return found
	}
	found.Doc, found.Entry, found.Text = at.Doc, at.Path[:len(at.Path)-1], at.Path
	return found
}

// readOnlyTrace returns the position of a field that can be shown and not edited, because its value is a text or a
// template.
func readOnlyTrace(place view.Location) objects.Trace {
	file, span := traceTo(place).Locate()
	return objects.Trace{File: file, Span: span}
}

func problemAt(place view.Location, message string) objects.Problem {
	return objects.Problem{Position: place.Position(), Message: message}
}

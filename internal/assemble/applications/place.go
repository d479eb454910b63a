package applications

import (
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/kube/objects"
)

// traceTo is the place in a file of the user's at which an application says something.
func traceTo(place gitops.Place) objects.Trace {
	o := place.Object
	if o.Applied == nil {
		return objects.Trace{Doc: o.Doc, Path: o.At(place.Path), What: objects.Transformer, Exact: true}
	}
	trace := o.Applied.Trace(place.Path)[0]
	trace.What = objects.Transformer
	return trace
}

// patchOf says where the text of a patch stands: that of an Application is a block in its file, while that of a generated
// one was filled in before it is a patch.
func patchOf(p gitops.Patch) overlay.EditPatch {
	found := overlay.EditPatch{Place: unedited(p.Place)}
	o, path := p.Patch.Place.Object, p.Patch.Place.Path
	if o == nil || o.Applied != nil || o.Node.Lookup(path).String() != p.Patch.Value {
		return found
	}
	found.Doc, found.Entry, found.Text = o.Doc, o.At(p.Place.Path), o.At(path)
	return found
}

// unedited is a place that can be shown, and in which no field is to be edited: what stands there is a text, or a template.
func unedited(place gitops.Place) objects.Trace {
	file, span := traceTo(place).Locate()
	return objects.Trace{File: file, Span: span}
}

func problemAt(place gitops.Place, message string) objects.Problem {
	return objects.Problem{Position: place.Position(), Message: message}
}

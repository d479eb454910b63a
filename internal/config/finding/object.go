package finding

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// RangeOf returns the place of a path in a document.
func RangeOf(doc *manifest.Document, path manifest.Path) Range {
	return RangeIn(doc.File, doc.Locate(path))
}

// RangeIn returns the place of bytes in a file.
func RangeIn(file *manifest.File, span manifest.Span) Range {
	at := Range{Start: span.Start, End: span.End}
	at.Line, at.Column = file.Position(span.Start)
	at.EndLine, at.EndColumn = file.Position(span.End)
	return at
}

// ResourceOf names an object.
func ResourceOf(o *objects.Object) Resource {
	return Resource{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

package manifest

import (
	"bytes"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// yttCode is a comment with code or an annotation of ytt: `#@ if x:`, `#@overlay/match by=y`. A comment of ytt, `#!`, is none.
var yttCode = lazyregexp.New(`(?m)(?:^|[ \t])#@(?:[ \t\r]|$|[a-z][a-z0-9_-]*/)`)

// Ytt returns the offset of the first code of ytt in the file, which makes all of it a template: code at the end of one document
// can belong to the next. Text inside a scalar, such as a script, is no code.
func (f *File) Ytt() (offset int, found bool) {
	if !bytes.Contains(f.Data, []byte("#@")) {
		return 0, false
	}
	for _, at := range yttCode().FindAllIndex(f.Data, -1) {
		offset := at[0] + bytes.IndexByte(f.Data[at[0]:], '#')
		if !f.scalarAt(offset) {
			return offset, true
		}
	}
	return 0, false
}

// scalarAt reports whether an offset is inside a scalar of a document. A document with only comments is none of the file's.
func (f *File) scalarAt(offset int) bool {
	for _, doc := range f.Docs {
		if doc.Span.Start <= offset && offset < doc.Span.End {
			return doc.Parse() == nil && inScalar(doc.Root, offset)
		}
	}
	return false
}

// inScalar reports whether an offset is inside a scalar.
func inScalar(n *Node, offset int) bool {
	if n == nil {
		return false
	}
	for _, field := range n.fields {
		if inScalar(field.Key, offset) || inScalar(field.Value, offset) {
			return true
		}
	}
	for _, item := range n.items {
		if inScalar(item, offset) {
			return true
		}
	}
	return len(n.fields)+len(n.items) == 0 && n.IsScalar() && n.span.Start <= offset && offset < n.span.End
}

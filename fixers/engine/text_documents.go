package engine

import (
	"bytes"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// byteOrderMark is dropped by Helm before it reads a template.
var byteOrderMark = []byte("\xef\xbb\xbf")

// removeTextDocuments replaces the removals of documents of a template by those of all bytes that go with them. empty is true if
// nothing else is in the file.
func (f *FileChange) removeTextDocuments(data []byte) (empty bool, err error) {
	var documents []manifest.Span
	var rest []TextChange
	text := bytes.TrimPrefix(data, byteOrderMark)
	shift := len(data) - len(text)
	for _, change := range f.Texts {
		if change.Document {
			documents = append(documents, manifest.Span{Start: change.Span.Start - shift, End: change.Span.End - shift})
		} else {
			rest = append(rest, change)
		}
	}
	if len(documents) == 0 {
		return false, nil
	}
	file, err := source.Parse(f.Path, string(text))
	if err != nil {
		return false, err
	}
	removed, empty := file.WithoutDocuments(documents)
	if empty && len(rest) == 0 && len(f.Documents) == 0 {
		f.Texts = []TextChange{{File: f.Path, Span: manifest.Span{End: len(data)}, Order: commit.OrderRemoval, Document: true}}
		return true, nil
	}
	for _, span := range removed {
		span.Start, span.End = span.Start+shift, span.End+shift
		rest = append(rest, TextChange{File: f.Path, Span: span, Order: commit.OrderRemoval, Document: true})
	}
	f.Texts = rest
	return false, nil
}

// deleteTemplate deletes a template without documents, unless a text names its file.
func (m *merger) deleteTemplate(f *FileChange) {
	m.deleted[f.Path] = true
	f.After, f.Order = nil, commit.OrderRemoval
	if why := m.namedInText(f.Path); why != "" {
		m.refuseTexts(f.Path, why+": remove that reference first")
	}
}

package charts

import (
	"bytes"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// trace says which lines of a template wrote a field. Where that cannot be told it is the template as a whole.
func (r *Rendered) trace(i int, doc *manifest.Document, path manifest.Path) []inventory.Trace {
	whole := []inventory.Trace{{File: r.file(r.plain[i].File, r.plain[i].Inside), What: inventory.Template}}
	templates, err := r.Templates()
	if err != nil {
		return whole
	}
	source, at, ok := templates[i].Origin(doc.Locate(path))
	if !ok {
		return whole
	}
	file := r.file(source.File, source.Inside)
	if source.Inside != "" {
		return []inventory.Trace{{File: file, What: inventory.Template}}
	}
	shift := len(file.Data) - len(bytes.TrimPrefix(file.Data, byteOrderMark))
	at.Start, at.End = at.Start+shift, at.End+shift
	return []inventory.Trace{{File: file, Span: at, What: inventory.Template, Exact: true}}
}

// byteOrderMark is what Helm leaves out of files.
var byteOrderMark = []byte("\xef\xbb\xbf")

// file gives a file of the chart as the user has it. What lies in an archive has no lines of its own.
func (r *Rendered) file(name, inside string) *manifest.File {
	f := &manifest.File{Path: name}
	if inside != "" {
		return f
	}
	if data, err := r.files.ReadFile(name); err == nil {
		f.Data = data
	}
	return f
}

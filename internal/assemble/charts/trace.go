package charts

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// trace says which lines of a template wrote a field. Where that cannot be told it is the template as a whole.
func (r *Rendered) trace(i int, doc *manifest.Document, path manifest.Path) []objects.Trace {
	whole := []objects.Trace{{File: r.file(r.plain[i].File, r.plain[i].Inside), What: objects.Template}}
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
		return []objects.Trace{{File: file, What: objects.Template}}
	}
	shift := len(file.Data) - len(bytes.TrimPrefix(file.Data, byteOrderMark))
	at.Start, at.End = at.Start+shift, at.End+shift
	return []objects.Trace{{File: file, Span: at, What: objects.Template, Exact: true}}
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

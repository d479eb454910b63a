package charts

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// trace returns the template lines that wrote a field, or the whole template if the lines are unknown.
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

// byteOrderMark is removed by Helm.
var byteOrderMark = []byte("\xef\xbb\xbf")

// file returns a file of the chart as it is in the repository. A file in an archive has no text.
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

package overlay

import (
	"bytes"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

const kindDefinition = "CustomResourceDefinition"

// definitionsLeftOut returns the files for the build of a unit in which no one wants the schemas of CustomResourceDefinitions: their
// `spec` is empty. Kustomize copies a tree several times while it reads it, and a definition can be a hundred times as large as all
// other objects. The result of the build is the same but for these objects, because nothing reads or changes a `spec` of another
// object, see [objects.Unit.LeavesSpecs].
func (b *builder) definitionsLeftOut(u *objects.Unit) render.Files {
	if b.Wanted == nil || b.Edits[u] != nil || !u.LeavesSpecs(kindDefinition, b.patch) {
		return b.files
	}
	return smallFiles{b.files, b.Wanted}
}

// patch returns the content of a file with patches; nil if it cannot be read.
func (b *builder) patch(file string) []byte {
	data, err := b.files.ReadFile(file)
	if err != nil {
		return nil
	}
	return data
}

// smallFiles are files whose definitions have no schemas.
type smallFiles struct {
	*snapshot
	wanted func(*manifest.Document) bool
}

// ReadFile returns a file with the same number of lines, so that kustomize's messages name the same ones.
func (f smallFiles) ReadFile(name string) ([]byte, error) {
	return cached(&f.small, name, func() ([]byte, error) {
		data, err := f.snapshot.ReadFile(name)
		if err != nil || f.unmarked[name] || objects.IsKustomizationFile(name) || !bytes.Contains(data, []byte(kindDefinition)) {
			return data, err
		}
		for _, o := range f.objects[name] {
			if o.Kind == kindDefinition { // a rule asks about it
				return data, nil
			}
		}
		return f.withoutSchemas(name, data), nil
	})
}

func (f smallFiles) withoutSchemas(name string, data []byte) []byte {
	var small []byte
	done := 0
	for _, doc := range manifest.Scan(name, data).Docs {
		if doc.Kind() != kindDefinition || f.wanted(doc) {
			continue
		}
		start, end, ok := specOf(doc)
		if !ok {
			continue
		}
		small = append(append(small, data[done:start]...), "spec: {}"...)
		small = append(small, bytes.Repeat([]byte("\n"), bytes.Count(data[start:end], []byte("\n")))...)
		done = end
	}
	return append(small, data[done:]...)
}

// specOf returns the bytes of the field `spec` of a document, with its line ends. It is false if the document is not written plainly: it
// could be invalid, and kustomize would say so.
func specOf(doc *manifest.Document) (start, end int, ok bool) {
	if !doc.Outline(func([][]byte, manifest.Scalar) {}) {
		return 0, 0, false
	}
	start, at := -1, doc.Span.Start
	for line := range bytes.Lines(doc.Bytes()) {
		switch {
		case start >= 0 && isKey(line[0]):
			return start, at, true
		case start < 0 && string(bytes.TrimRight(line, " \n")) == "spec:":
			start = at
		}
		at += len(line)
	}
	return start, at, start >= 0
}

// isKey reports whether a line begins with a key of the object: in a plainly written document, all lines of values are indented, or begin
// with a dash.
func isKey(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

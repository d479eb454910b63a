package overlay

import (
	"bytes"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/refusal"
)

// Most bytes of many repositories are the schemas in CustomResourceDefinitions, and kustomize needs most of its time to read, copy, and write
// them. No rule judges them. So a unit that does not change schemas is built from files without them. What such a build cannot show is known
// before: whether kustomize can read the whole files, and write their objects.

// withoutSchemas are the files of a snapshot, in which CustomResourceDefinitions that do not matter have no schemas.
type withoutSchemas struct {
	*snapshot
	refusals *refusal.Walk
}

// filesOf returns the files from which a unit is built.
func (b *builder) filesOf(u *objects.Unit) render.Files {
	if b.Refusals == nil || b.mayReadSchemas(u) {
		return b.files
	}
	return withoutSchemas{b.files, b.Refusals}
}

// ReadFile returns a file of the snapshot.
func (s withoutSchemas) ReadFile(name string) ([]byte, error) {
	return cached(&s.short, name, func() ([]byte, error) {
		data, err := s.snapshot.ReadFile(name)
		if err != nil || s.unmarked[name] || !bytes.Contains(data, schemaKey) {
			return data, err
		}
		original, err := s.original(name)
		if err != nil {
			return data, nil
		}
		shorter := removeSchemas(name, data)
		if len(shorter) == len(data) || !s.refusals.SameObjects(name, original, shorter) {
			return data, nil
		}
		return shorter, nil
	})
}

// schemaKey is the field of a CustomResourceDefinition with a schema, and schemaWord a part of every path or patch that leads into one.
var schemaKey, schemaWord = []byte("openAPIV3Schema:"), []byte("openapiv3schema")

// mayReadSchemas reports whether a kustomization of a unit may read or change a schema: it names one, or has a field about which that is not
// known. Charts can render files of the unit.
func (b *builder) mayReadSchemas(u *objects.Unit) bool {
	if len(u.Renderings) > 0 || slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool {
		_, adds := objects.AddedKind(t.Field)
		return !adds && !slices.Contains(readableFields, t.Field)
	}) {
		return true
	}
	namesSchema := namesSchema
	if slices.ContainsFunc(u.Transforms, func(t objects.Transform) bool { return t.Field == "replacements" }) {
		namesSchema = namesVersions
	}
	if edit := b.Edits[u]; edit != nil && namesSchema(edit.Data) {
		return true
	}
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return namesSchema(k.Doc.File.Data) }) ||
		slices.ContainsFunc(u.NonObjectInputs, func(in objects.NonObjectInput) bool {
			data, err := b.Files.ReadFile(in.File)
			return err != nil || namesSchema(data)
		})
}

// readableFields are fields of kustomizations whose texts show each field of an object that they read or change.
var readableFields = append(slices.Clone(deferrableFields), "vars", "configurations")

// namesVersions reports whether a text may name a schema, or something that holds one and that a replacement could copy.
func namesVersions(text []byte) bool {
	return namesSchema(text) || bytes.Contains(text, []byte("versions")) || bytes.Contains(text, []byte("spec.validation"))
}

func namesSchema(text []byte) bool { return bytes.Contains(bytes.ToLower(text), schemaWord) }

// removeSchemas returns a file with empty schemas in its CustomResourceDefinitions that carry no mark.
func removeSchemas(name string, data []byte) []byte {
	var edits []manifest.Edit
	for _, doc := range manifest.Scan(name, data).Docs {
		if doc.Kind() == "CustomResourceDefinition" && !bytes.Contains(doc.Bytes(), []byte(markKey)) {
			edits = append(edits, schemasIn(doc)...)
		}
	}
	shorter, err := manifest.Apply(data, edits)
	if err != nil {
		return data
	}
	return shorter
}

// schemasIn returns edits that replace the lines below the key of each schema.
func schemasIn(doc *manifest.Document) []manifest.Edit {
	var edits []manifest.Edit
	column, start, at := -1, 0, doc.Span.Start
	end := func() {
		if column >= 0 && at > start {
			edits = append(edits, manifest.Edit{Span: manifest.Span{Start: start, End: at}, New: string(bytes.Repeat([]byte(" "), column+1)) + "type: object\n"})
		}
		column = -1
	}
	for line := range bytes.Lines(doc.Bytes()) {
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		text = bytes.TrimSpace(text)
		if column >= 0 && len(text) > 0 && indent <= column {
			end()
		}
		at += len(line)
		if column < 0 && bytes.Equal(text, schemaKey) {
			column, start = indent, at
		}
	}
	end()
	return edits
}

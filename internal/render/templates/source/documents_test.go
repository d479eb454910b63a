package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render/templates/source"
)

// TestWithoutDocuments removes the documents that contain the word gone.
func TestWithoutDocuments(t *testing.T) {
	t.Parallel()
	const gone, kept = "kind: A\nname: gone\n", "kind: B\nname: kept\n"
	tests := []struct{ name, text, want string }{
		{"alone", gone, "empty"},
		{"first", gone + "---\n" + kept, kept},
		{"last", kept + "---\n" + gone, kept},
		{"between", kept + "---\n" + gone + "---\n" + kept, kept + "---\n" + kept},
		{"a leading separator", "---\n" + gone + "---\n" + kept, "---\n" + kept},
		{"two in a row", gone + "---\n" + gone + "---\n" + kept, kept},
		{"two at the end", kept + "---\n" + gone + "---\n" + gone, kept},
		{"wrapped", kept + "---\n{{- if .a }}\n" + gone + "{{- end }}\n", kept},
		{"wrapped twice", "{{- if .a }}\n{{- with .b }}\n" + gone + "{{- end }}\n{{- end }}\n---\n" + kept, kept},
		{"all in one block", "{{- if .a }}\n" + gone + "---\n" + gone + "{{- end }}\n", "empty"},
		{"a separator in the block", kept + "{{- if .a }}\n---\n" + gone + "{{- end }}\n---\n" + kept, kept + "---\n" + kept},
		{"a range", "{{- range .a }}\n---\n" + gone + "{{- end }}\n", "empty"},
		{"one of a block", "{{- if .a }}\n" + gone + "---\n" + kept + "{{- end }}\n", "{{- if .a }}\n" + kept + "{{- end }}\n"},
		{"an else", "{{- if .a }}\n" + gone + "{{- else }}\n" + kept + "{{- end }}\n", "{{- if .a }}\n{{- else }}\n" + kept + "{{- end }}\n"},
		{"a block behind it", gone + "{{- if .a }}\n---\n" + kept + "{{- end }}\n", "{{- if .a }}\n---\n" + kept + "{{- end }}\n"},
		{"a nested block", "kind: A\n{{- if .a }}\nname: gone\n{{- end }}\n{{- with .b }}\nx: {{ . }}\n{{- end }}\n---\n" + kept, kept},
		{"comments of its own", kept + "---\n# about it\n" + gone, kept},
		{"a license", "# Copyright of somebody\n" + gone, "empty"},
		{"a license of the file", "# Copyright of somebody\n\n" + gone + "---\n" + kept, "# Copyright of somebody\n\n" + kept},
		{"a declaration", "{{- $x := 1 }}\n" + gone + "---\n" + kept, "{{- $x := 1 }}\n" + kept},
		{"a definition", "{{- define \"a\" }}\nx\n{{- end }}\n" + gone, "{{- define \"a\" }}\nx\n{{- end }}\n"},
		{"an include", "{{ include \"gone\" . }}\n---\n" + kept, kept},
		{"kind from values", "kind: {{ .x }}\nname: gone\n", "its kind depends on values"},
		{"another writer", gone + "{{ .Values.extra }}\n", "{{ .Values.extra }} can write other objects with other values"},
		{"an open block", gone + "{{- if .a }}\nx: y\n---\n" + kept + "{{- end }}\n", "the block behind it can write a part of it: write --- between them"},
		{"an action on its line", "kind: A\nname: gone {{- if .a }}x{{ end }}\n---\n" + kept, kept},
		{"an end on its line", "{{- if .a }}\nkind: A\nname: gone{{- end }}\n", "its lines contain something else"},
	}
	for _, test := range tests {
		for _, lineEnd := range []string{"\n", "\r\n"} {
			t.Run(test.name+strings.TrimSpace(lineEnd), func(t *testing.T) {
				t.Parallel()
				text, want := strings.ReplaceAll(test.text, "\n", lineEnd), strings.ReplaceAll(test.want, "\n", lineEnd)
				if diff := cmp.Diff(want, withoutGone(t, text)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

func withoutGone(t *testing.T, text string) string {
	t.Helper()
	file, err := source.Parse("a.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	var documents []manifest.Span
	for at := 0; ; {
		next := strings.Index(text[at:], "gone")
		if next < 0 {
			break
		}
		offset := strings.LastIndexByte(text[:at+next], '\n') + 1
		at += next + 1
		offsets := []int{offset}
		if kind := strings.LastIndex(text[:offset], "kind: "); kind >= 0 && !strings.Contains(text[kind:offset], "---") {
			offsets = append(offsets, kind)
		}
		d, err := file.Document(offsets)
		if err != nil {
			return err.Error()
		}
		documents = append(documents, d)
	}
	removed, empty := file.WithoutDocuments(documents)
	if empty {
		return "empty"
	}
	var rest strings.Builder
	at := 0
	for _, s := range removed {
		rest.WriteString(text[at:s.Start])
		at = s.End
	}
	rest.WriteString(text[at:])
	if _, err := source.Parse("a.yaml", rest.String()); err != nil {
		t.Errorf("%v", err)
	}
	return rest.String()
}

package block_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// names returns the names of the objects of a kind in all templates.
func names(t *testing.T, templates []render.Template, kind string) []string {
	t.Helper()
	var found []string
	for _, template := range templates {
		for _, doc := range manifest.Scan(template.File, []byte(template.Text)).Docs {
			if err := doc.Parse(); err != nil {
				t.Fatalf("%v\n%s", err, template.Text)
			}
			if doc.Root.Get("kind").String() == kind {
				found = append(found, doc.Root.Lookup(manifest.Path{"metadata", "name"}).String())
			}
		}
	}
	slices.Sort(found)
	return found
}

// Text in the scope of an extension's name is rendered as often as the extension, with the same names, for other values as
// well.
func TestWrap(t *testing.T) {
	t.Parallel()
	extension := func(name string) string {
		return "---\n" + head + "metadata:\n  name: " + name + "\nspec:\n  namespace: x\n  serviceAccount:\n    name: a\n"
	}
	list := "list: [{name: a, live: true}, {name: b}, {name: c, live: true, sub: [d, e]}]\nother: {name: o}\n"
	tests := map[string]struct {
		template string
		values   []string
	}{
		"no guards":     {extension("{{ include \"ops.fullname\" . }}-x"), []string{""}},
		"range and if":  {"{{- range .Values.list }}{{ if .live -}}\n" + extension("{{ .name }}-{{ $.Release.Name }}") + "{{- end }}\n{{ end }}", []string{list, "list: []", "list: [{name: z, live: 1}]"}},
		"else":          {"{{- with .Values.none }}{{ . }}{{ else with .Values.other }}\n" + extension("\"{{ .name }}\"") + "{{- end }}", []string{list, "other: {name: q}", "none: 'a: b'"}},
		"variables":     {"{{- $root := . }}{{ $p := .Release.Name }}\n{{ range $i, $e := .Values.list }}{{ $n := printf \"%s-%s\" $p $e.name }}\n" + extension("{{ $n }}{{ $i }}-{{ $root.Chart.Name }}") + "{{ end }}", []string{list, "list: [{name: z}]"}},
		"nested ranges": {"{{- range $e := .Values.list }}{{ range .sub }}\n" + extension("{{ . }}-{{ $e.name }}") + "{{ end }}{{ end }}", []string{list}},
		"a helper": {"{{- range .Values.list }}\n{{ include \"ext\" (dict \"root\" $ \"item\" .) }}\n{{- end }}\n{{- define \"ext\" }}{{ if .item.live }}\n" + extension("{{ .root.Release.Name }}-{{ .item.name }}") + "{{ end }}{{ end }}",
			[]string{list, "list: []"}},
		"helpers in helpers": {"{{- range .Values.list }}\n{{ template \"outer\" . }}\n{{- end }}\n{{- define \"outer\" }}{{ range .sub }}{{ include \"ext\" . }}{{ end }}{{ end }}\n{{- define \"ext\" }}\n" + extension("{{ . }}-x") + "{{ end }}",
			[]string{list}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			templates := chart(t, test.template, test.values[0])
			template, doc := firstExtension(t, templates)
			reader := block.NewReader(templates)
			got, err := reader.Scalar(template, doc, manifest.Path{"metadata", "name"})
			if err != nil {
				t.Fatalf("%v\n%s", err, template.Text)
			}
			wrapped, err := got.Wrap("ops.salint", "---\nkind: Grant\nmetadata:\n  name: olm:"+got.Bare+"\n")
			if err != nil {
				t.Fatal(err)
			}
			for _, values := range test.values {
				templates := chart(t, test.template, values, "templates/grant.yaml", wrapped)
				var want []string
				for _, name := range names(t, templates, "ClusterExtension") {
					want = append(want, "olm:"+name)
				}
				if diff := cmp.Diff(want, names(t, templates, "Grant")); diff != "" {
					t.Errorf("%s: -want +got:\n%s\n%s", values, diff, wrapped)
				}
			}
		})
	}
}

func TestWrapRefused(t *testing.T) {
	t.Parallel()
	template := "{{ $n := \"a\" }}{{ range .Values.list }}{{ $n = .name }}\n---\n" + head + "metadata:\n  name: {{ $n }}\nspec: {}\n{{ end }}"
	found, doc := firstExtension(t, chart(t, template, "list: [{name: a}]"))
	got, err := block.NewReader(nil).Scalar(found, doc, manifest.Path{"metadata", "name"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got.Wrap("x", got.Bare); err == nil || !strings.Contains(err.Error(), "$n is assigned another value in line 1") {
		t.Errorf("got %v", err)
	}
}

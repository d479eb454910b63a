package block_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/templates/block"
)

// writer writes random charts: mappings with distinct keys, inside any blocks.
type writer struct {
	random  *rand.Rand
	count   int
	helpers strings.Builder
}

var conditions = []string{".Values.yes", ".Values.no", `eq (include "word" .) "w"`, ".Values.list", "not .Values.no"}

// fields writes some fields in a column. The root is available in each.
func (w *writer) fields(column, depth int) string {
	var text strings.Builder
	for range 1 + w.random.IntN(4) {
		text.WriteString(w.element(column, depth))
	}
	return text.String()
}

func (w *writer) element(column, depth int) string {
	blanks := strings.Repeat(" ", column)
	open, shut := w.trims()
	if depth == 0 {
		return w.scalar(blanks)
	}
	switch w.random.IntN(11) {
	case 0, 1:
		return fmt.Sprintf("%s%s:\n%s", blanks, w.name(), w.filled(column+2, depth-1))
	case 2:
		return fmt.Sprintf("%s%s if %s }}\n%s%s%s end }}\n", blanks, open, w.pick(conditions), w.fields(column, depth-1), blanks, shut)
	case 3:
		return fmt.Sprintf("%s%s if %s }}\n%s%s%s else }}\n%s%s%s end }}\n", blanks, open, w.pick(conditions), w.fields(column, depth-1), blanks, shut,
			w.fields(column, depth-1), blanks, shut)
	case 4:
		return fmt.Sprintf("%s%s with .Values.map }}\n%s%s: {{ .x }}\n%s%s end }}\n", blanks, open, blanks, w.name(), blanks, shut)
	case 5:
		return fmt.Sprintf("%s%s range $i, $e := .Values.list }}\n%s%s-{{ $i }}: {{ $e }}\n%s%s end }}\n", blanks, open, blanks, w.name(), blanks, shut)
	case 6:
		return fmt.Sprintf("%s%s:\n%s  {{- toYaml .Values.map | nindent %d }}\n", blanks, w.name(), blanks, column+2)
	case 7:
		helper := fmt.Sprintf("h%d", w.count)
		fmt.Fprintf(&w.helpers, "{{- define %q }}\n%s{{- end }}\n", helper, w.filled(0, depth-1))
		return fmt.Sprintf("%s{{- include %q . | trim | nindent %d }}\n", blanks, helper, column)
	case 8:
		return blanks + "# a comment\n" + w.scalar(blanks) + "\n"
	case 9:
		return fmt.Sprintf("%s%s:\n%s- a\n%s- {{ .Release.Name }}\n", blanks, w.name(), blanks, blanks)
	}
	return w.scalar(blanks)
}

// filled writes fields of which one is always rendered, so that a mapping is never empty.
func (w *writer) filled(column, depth int) string {
	always := w.scalar(strings.Repeat(" ", column))
	if w.random.IntN(2) == 0 {
		return always + w.fields(column, depth)
	}
	return w.fields(column, depth) + always
}

func (w *writer) scalar(blanks string) string {
	value := w.pick([]string{"a", "{{ .Release.Name }}-x", `{{ include "word" . }}`, `{{ include "word" . | upper | quote }}`, `"{{ .Chart.Name }}" # why`,
		`{{ if .Values.no }}p{{ else }}q{{ end }}`, "{x: {{ .Values.map.x }}, y: z}"})
	return fmt.Sprintf("%s%s: %s\n", blanks, w.name(), value)
}

func (w *writer) name() string {
	w.count++
	return fmt.Sprintf("k%d", w.count)
}

func (w *writer) trims() (open, shut string) {
	return w.pick([]string{"{{-", "{{"}), w.pick([]string{"{{-", "{{"})
}

func (w *writer) pick(from []string) string { return from[w.random.IntN(len(from))] }

func (w *writer) chart() filestest.Tree {
	template := "kind: A\nspec:\n" + w.filled(2, 4)
	helpers := "{{- define \"word\" -}}\nw\n{{- end }}\n" + w.helpers.String()
	return filestest.Tree{
		"Chart.yaml":             chartYAML,
		"values.yaml":            "yes: true\nno: false\nlist: [a, b]\nmap: {x: 1, z: 2}\n",
		"templates/_helpers.tpl": helpers,
		"templates/t.yaml":       template,
	}
}

// otherValues invert each condition.
var otherValues = []string{"", "yes: false\nno: true\nlist: []\nmap: {x: null, z: null}\n", "yes: false\nlist: [c]\n", "no: true\nmap: {x: 5}\n"}

// In random charts, each key occurs once in the sources and is traced to its line; and if the lines of a field are found,
// the chart without them differs exactly by that field, whatever the values are.
func TestRandomCharts(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	rounds, tried, refused := 30, 0, 0
	if testing.Short() {
		rounds = 10
	}
	for seed := range rounds {
		w := &writer{random: rand.New(rand.NewPCG(uint64(seed), 1))}
		files := w.chart()
		tree := render.FromFS(files.FS())
		found := renderDoc(t, tree, workers, "")
		checkLines(t, seed, files, found.template)
		for _, path := range paths(found.doc.Root, nil) {
			if len(path) < 2 {
				continue
			}
			tried++
			got, err := block.NewReader(nil).Field(found.template, found.doc, path)
			if err != nil {
				refused++
				continue
			}
			text := got.Source.Text
			edited := render.WithEdits(tree, map[string][]byte{got.Source.File: []byte(text[:got.Span.Start] + text[got.Span.End:])})
			for _, values := range otherValues {
				before, after := renderDoc(t, tree, workers, values), renderDoc(t, edited, workers, values)
				if bad := others(manifest.Diff(before.doc.Root, after.doc.Root), path); len(bad) > 0 {
					t.Fatalf("seed %d, %s, values %q: %v\n%s\nwithout\n%s\nof\n%s", seed, path, values, bad, after.template.Text, text[got.Span.Start:got.Span.End], text)
				}
			}
		}
	}
	t.Logf("%d fields, %d refused", tried, refused)
	if refused*2 > tried {
		t.Errorf("%d of %d fields are refused", refused, tried)
	}
}

type built struct {
	template render.Template
	doc      *manifest.Document
}

func renderDoc(t *testing.T, tree render.Files, workers *render.Workers, values string) built {
	t.Helper()
	o := render.ChartOptions{Trace: values == "", Workers: workers, Values: []render.ValuesFile{{Name: "v", Data: []byte(values)}}}
	templates, err := render.Templates(t.Context(), tree, ".", o)
	if err != nil {
		t.Fatal(err)
	}
	doc := manifest.Scan("t", []byte(templates[0].Text)).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, templates[0].Text, templates[0].Source)
	}
	return built{templates[0], doc}
}

// checkLines compares the trace of every key of the text with its only occurrence in the sources: the key was written
// there, or by the action that includes it, if that processes the text.
func checkLines(t *testing.T, seed int, files filestest.Tree, template render.Template) {
	t.Helper()
	places := template.Lines()
	for at, line := range strings.Split(template.Text, "\n") {
		key := firstKey(line)
		if key == "" {
			continue
		}
		got, written := places[at], ""
		if got.Line > 0 {
			written = strings.Split(files[got.File], "\n")[got.Line-1]
		}
		if firstKey(written) != key && !strings.Contains(written, "{{- include") {
			t.Fatalf("seed %d: %q is said to come from %s:%d\n%s", seed, line, got.File, got.Line, template.Source)
		}
	}
}

var keyPattern = regexp.MustCompile(`^ *(k\d+)(?:-.*)?:`)

func firstKey(line string) string {
	if match := keyPattern.FindStringSubmatch(line); match != nil {
		return match[1]
	}
	return ""
}

// others returns the changes other than the removal of a field.
func others(changes []manifest.Change, path manifest.Path) []manifest.Change {
	return slices.DeleteFunc(changes, func(c manifest.Change) bool { return c.Op == manifest.Remove && slices.Equal(c.Path, path) })
}

func paths(n *manifest.Node, at manifest.Path) []manifest.Path {
	var found []manifest.Path
	for _, field := range n.Fields() {
		path := at.Join(field.Key.String())
		found = append(found, path)
		found = append(found, paths(field.Value, path)...)
	}
	return found
}

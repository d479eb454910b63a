package render_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/test/golden"
)

// cases are the golden cases: in/ is a tree, each line of cmd renders something of it, and out.yaml is the result. The
// command `lines` prints the template line of each rendered line of a chart.
var cases = golden.Suite{Cases: "testdata/*", Inputs: []string{"cmd", "in/"}, Outputs: []string{"out.yaml"}}

func TestGolden(t *testing.T) {
	t.Parallel()
	cases.Run(t, func(t *testing.T, c golden.Case) map[string]string {
		files := tree(golden.Below("in/", c.Files))
		return map[string]string{"out.yaml": renderAll(t, files, c.Files["cmd"])}
	})
}

func renderAll(t *testing.T, files render.Files, commands string) string {
	t.Helper()
	var got bytes.Buffer
	for command := range strings.Lines(commands) {
		words := strings.Fields(command)
		if words[0] == "lines" {
			writeLines(t, &got, files, words)
			continue
		}
		objects, err := renderCommand(t.Context(), files, words)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		fmt.Fprintf(&got, "### %s\n", strings.Join(words, " "))
		for _, o := range objects {
			writeObject(t, &got, o)
		}
	}
	return got.String()
}

func renderCommand(ctx context.Context, files render.Files, words []string) ([]rendered.Object, error) {
	switch words[0] {
	case "kustomize":
		return render.Kustomize(ctx, files, words[1], render.KustomizeOptions{})
	case "folder":
		return render.Folder(ctx, files, words[1])
	}
	o, err := chartOptions(files, words[2:])
	if err != nil {
		return nil, err
	}
	return render.Chart(ctx, files, words[1], o)
}

// chartOptions reads values files and, with a leading plus, API versions.
func chartOptions(files render.Files, words []string) (o render.ChartOptions, err error) {
	for _, word := range words {
		if version, ok := strings.CutPrefix(word, "+"); ok {
			o.APIVersions = append(o.APIVersions, version)
			continue
		}
		data, err := files.ReadFile(word)
		if err != nil {
			return o, err
		}
		o.Values = append(o.Values, render.ValuesFile{Name: word, Data: data})
	}
	return o, nil
}

// writeLines writes the text of a chart, and the origin behind each line.
func writeLines(t *testing.T, to *bytes.Buffer, files render.Files, words []string) {
	t.Helper()
	o, err := chartOptions(files, words[2:])
	if err != nil {
		t.Fatal(err)
	}
	o.Trace = true
	templates, err := render.Templates(t.Context(), files, words[1], o)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(to, "### %s\n", strings.Join(words, " "))
	for _, template := range templates {
		fmt.Fprintf(to, "--- %s\n", template.Name)
		places := template.Lines()
		for i, line := range strings.Split(strings.TrimSuffix(template.Text, "\n"), "\n") {
			if at := places[i]; strings.TrimSpace(line) != "" {
				fmt.Fprintf(to, "%-60s # %s:%d\n", line, strings.TrimPrefix(at.File, words[1]+"/"), at.Line)
			}
		}
	}
}

func writeObject(t *testing.T, to *bytes.Buffer, o rendered.Object) {
	t.Helper()
	text, err := yaml.Marshal(o.JSON)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(to, "---\n# %s:%d\n%s", o.Origin.File, o.Origin.Line, text)
}

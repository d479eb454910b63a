package render_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/rendered"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A case is a folder of testdata: in/ is a tree, cmd says in each line what to render of it, and out.yaml what comes out.
func TestGolden(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("testdata/*")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, dir := range cases {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			golden(t, dir)
		})
	}
}

func golden(t *testing.T, dir string) {
	t.Helper()
	files := render.FromFS(os.DirFS(filepath.Join(dir, "in")))
	commands, err := os.ReadFile(filepath.Join(dir, "cmd"))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for command := range strings.Lines(string(commands)) {
		words := strings.Fields(command)
		objects, err := renderCommand(t.Context(), files, words)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		fmt.Fprintf(&got, "### %s\n", strings.Join(words, " "))
		for _, o := range objects {
			writeObject(t, &got, o)
		}
	}
	file := filepath.Join(dir, "out.yaml")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got (go test -update writes it anew):\n%s", diff)
	}
}

func renderCommand(ctx context.Context, files render.Files, words []string) ([]rendered.Object, error) {
	switch words[0] {
	case "kustomize":
		return render.Kustomize(ctx, files, words[1], render.KustomizeOptions{})
	case "folder":
		return render.Folder(ctx, files, words[1])
	}
	var o render.ChartOptions
	for _, name := range words[2:] {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		o.Values = append(o.Values, render.ValuesFile{Name: name, Data: data})
	}
	return render.Chart(ctx, files, words[1], o)
}

func writeObject(t *testing.T, to *bytes.Buffer, o rendered.Object) {
	t.Helper()
	text, err := yaml.Marshal(o.JSON)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(to, "---\n# %s:%d\n%s", o.Origin.File, o.Origin.Line, text)
}

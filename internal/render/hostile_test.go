package render_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/internal/render"
)

// Input that would run endlessly or use all memory is stopped.
func TestStopped(t *testing.T) {
	t.Parallel()
	template := func(text string) map[string]string {
		return map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": text}
	}
	doubling := map[string]string{}
	for i := range 30 {
		dir := fmt.Sprintf("d%02d", i)
		doubling[dir+"/kustomization.yaml"] = "resources: [a, b]\n"
		for _, half := range []string{"a", "b"} {
			doubling[dir+"/"+half+"/kustomization.yaml"] = fmt.Sprintf("namePrefix: %s\nresources: [../../d%02d]\n", half, i+1)
		}
	}
	doubling["d30/kustomization.yaml"] = "resources: [x.yaml]\n"
	doubling["d30/x.yaml"] = account

	bomb := strings.Builder{}
	bomb.WriteString("kind: X\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	quick := render.Limits{Time: 2 * time.Second, Memory: 256 << 20, Output: 1 << 20}
	tests := map[string]struct {
		files map[string]string
		dir   string
		want  string
	}{
		"a loop":               {template("{{ range until 1000000000 }}{{ end }}"), "ops", "limit"},
		"a loop with output":   {template("{{ range until 1000000 }}{{ range until 1000000 }}kind: A{{ end }}{{ end }}"), "ops", "limit"},
		"much output":          {template(`kind: {{ repeat 3000000 "x" }}`), "ops", "the result has more than 1 MiB"},
		"a recursion":          {template(`{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}`), "ops", ""},
		"a recursion of names": {template(`{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}`), "ops", ""},
		"a recursion of text":  {with(template(`{{ tpl .Values.x . }}`), map[string]string{"ops/values.yaml": "x: '{{ tpl .Values.x . }}'"}), "ops", ""},
		"much memory":          {template(`{{ $x := repeat 1000000 "x" }}{{ range until 1000000 }}{{ $x = cat $x $x }}{{ end }}`), "ops", "limit"},
		"a bomb in values":     {with(template(""), map[string]string{"ops/values.yaml": bomb.String()}), "ops", ""},
		"an archive of zeros": {with(template(""), map[string]string{
			"ops/charts/x-1.0.0.tgz": archive(t, map[string]string{"x/zeros": strings.Repeat("\x00", 6<<20)})}), "ops", "larger than the maximum"},
		"overlays that double": {doubling, "d00", ""},
		"a bomb of aliases":    {map[string]string{"d00/kustomization.yaml": "resources: [x.yaml]", "d00/x.yaml": bomb.String()}, "d00", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			var err error
			if test.dir == "ops" {
				_, err = render.Chart(t.Context(), tree(test.files), "ops", render.ChartOptions{Limits: quick})
			} else {
				_, err = render.Kustomize(t.Context(), tree(test.files), test.dir, render.KustomizeOptions{Limits: quick})
			}
			t.Logf("%v: %.200v", time.Since(begun).Round(time.Millisecond), err)
			if child.RaceDetector {
				test.want = "" // everything is slower, so that another limit can end it
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if spent := time.Since(begun); spent > 20*time.Second {
				t.Errorf("it took %v", spent)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	values := []render.ValuesFile{{Name: "big.yaml", Data: make([]byte, 50<<20)}}
	_, err := render.Chart(t.Context(), tree(ops), "ops", render.ChartOptions{Values: values, Limits: render.Limits{Input: 1 << 20}})
	var limit *render.LimitError
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "big.yaml") {
		t.Errorf("large values: %v", err)
	}
	files := map[string]string{"a/kustomization.yaml": "resources: [x.yaml]", "a/x.yaml": account + "# " + strings.Repeat("x", 2<<20)}
	_, err = render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{Limits: render.Limits{Input: 1 << 20}})
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "it exceeds the limit at a/x.yaml") {
		t.Errorf("a large file: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	files := &onRead{Files: tree(base), then: cancel}
	_, err := render.Kustomize(ctx, files, "base", render.KustomizeOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// onRead runs a function when a file is read, and blocks the reader until it returns.
type onRead struct {
	render.Files
	then func()
}

func (f *onRead) ReadFile(name string) ([]byte, error) {
	f.then()
	return f.Files.ReadFile(name)
}

// Nothing outside the repository is read, neither through a symlink nor by a path. Symlinks that lead back inside are
// followed.
func TestSymlinks(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, "secret.yaml", account)
	write(t, outside, "kustomization.yaml", "resources: [secret.yaml]\n")
	dir := t.TempDir()
	write(t, dir, "base/kustomization.yaml", "resources: [x.yaml]\n")
	write(t, dir, "base/x.yaml", account)
	write(t, dir, "a/kustomization.yaml", "resources: [out]\n")
	write(t, dir, "b/kustomization.yaml", "resources: [out.yaml]\n")
	write(t, dir, "c/kustomization.yaml", "resources: [in]\n")
	write(t, dir, "d/kustomization.yaml", "resources: [loop]\n")
	write(t, dir, "chart/Chart.yaml", chartYAML)
	write(t, dir, "chart/templates/x.yaml", account)
	write(t, dir, "bad/Chart.yaml", chartYAML)
	link(t, outside, dir, "a/out")
	link(t, filepath.Join(outside, "secret.yaml"), dir, "b/out.yaml")
	link(t, "../base", dir, "c/in")
	link(t, "loop", dir, "d/loop")
	link(t, "../../base/x.yaml", dir, "chart/templates/in.yaml")
	link(t, "../../"+filepath.Base(outside), dir, "bad/templates")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files := render.FromFS(root.FS())
	for name, want := range map[string]string{"a": "a/out is a symlink to " + outside, "b": "outside the repository", "d": "too many levels of symlinks", "c": ""} {
		for _, unrestricted := range []bool{false, true} {
			_, err := render.Kustomize(t.Context(), files, name, render.KustomizeOptions{Unrestricted: unrestricted})
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, unrestricted %v: got %v, want %q", name, unrestricted, err, want)
			}
		}
	}
	if got, err := render.Chart(t.Context(), files, "chart", render.ChartOptions{}); err != nil || len(got) != 2 {
		t.Errorf("a chart with a symlink inside: %v, %v", lines(got), err)
	}
	if _, err := render.Chart(t.Context(), files, "bad", render.ChartOptions{}); err == nil || !strings.Contains(err.Error(), "outside the repository") {
		t.Errorf("a chart with a symlink outside: %v", err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, dir, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

package render_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/salint/salint/internal/base/child"
	"github.com/salint/salint/internal/render"
)

// Workers handle requests one after the other and concurrently; a stopped one is not reused.
func TestWorkers(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{Output: 1 << 20})
	defer workers.Close()
	loud := tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": `kind: {{ repeat 2000000 "x" }}`})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			o := render.ChartOptions{Workers: workers, ReleaseName: fmt.Sprintf("r%d", i)}
			if i%4 == 0 {
				if _, err := render.Chart(t.Context(), loud, "ops", o); err == nil {
					t.Error("too much output was taken")
				}
			}
			got, err := render.Chart(t.Context(), tree(ops), "ops", o)
			if err != nil {
				t.Error(err)
				return
			}
			if release := got[0].Annotation("release"); release != o.ReleaseName+"/default" {
				t.Errorf("asked for %s, got %s", o.ReleaseName, release)
			}
			if _, err := render.Kustomize(t.Context(), tree(base), "base", render.KustomizeOptions{Workers: workers}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A schema in a kustomization configures how patches merge lists. It must not affect the next build.
func TestWorkersForgetSchemas(t *testing.T) {
	t.Parallel()
	schema := `{"definitions": {"v1.Shop": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Shop"}],
"properties": {"spec": {"type": "object", "properties": {"parts": {"type": "array", "x-kubernetes-patch-merge-key": "name",
"x-kubernetes-patch-strategy": "merge", "items": {"type": "object"}}}}}}}}`
	shop := "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: s}\nspec: {parts: [{name: %s}]}\n"
	files := map[string]string{
		"plain/kustomization.yaml": "resources: [shop.yaml]\npatches: [{path: patch.yaml}]\n",
		"plain/shop.yaml":          fmt.Sprintf(shop, "a"),
		"plain/patch.yaml":         fmt.Sprintf(shop, "b"),
	}
	for name, text := range files {
		files[strings.Replace(name, "plain/", "schema/", 1)] = text
	}
	files["schema/schema.json"] = schema
	for _, key := range []string{"openapi", "openAPI", `"\x6fpenapi"`} { // kustomize takes all of them
		files["schema/kustomization.yaml"] = files["plain/kustomization.yaml"] + key + ": {path: schema.json}\n"
		files["over/kustomization.yaml"] = "resources: [../schema]\n"
		t.Run(key, func(t *testing.T) { testForgetsSchemas(t, files) })
	}
}

func testForgetsSchemas(t *testing.T, files map[string]string) {
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	for _, step := range []struct {
		dir   string
		parts int
	}{{"plain", 1}, {"schema", 2}, {"plain", 1}, {"over", 2}, {"plain", 1}} {
		got, err := render.Kustomize(t.Context(), tree(files), step.dir, render.KustomizeOptions{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		parts := got[0].JSON["spec"].(map[string]any)["parts"].([]any)
		if len(parts) != step.parts {
			t.Errorf("%s: parts %v", step.dir, parts)
		}
	}
}

func BenchmarkKustomize(b *testing.B) {
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	for b.Loop() {
		if _, err := render.Kustomize(b.Context(), tree(base), "base", render.KustomizeOptions{Workers: workers}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChart(b *testing.B) {
	workers := render.NewWorkers(render.Limits{})
	defer workers.Close()
	for b.Loop() {
		if _, err := render.Chart(b.Context(), tree(ops), "ops", render.ChartOptions{Workers: workers}); err != nil {
			b.Fatal(err)
		}
	}
}

// Requests that need more than their share of the memory are repeated with all of it, and many at once stay within the limit.
func TestWorkersShareMemory(t *testing.T) {
	t.Parallel()
	workers := render.NewWorkers(render.Limits{Memory: 1 << 30, Output: 1 << 20})
	defer workers.Close()
	// The text is repeated in memory, and its length is the output.
	heavy := func(size int64) render.Files {
		return tree(map[string]string{"ops/Chart.yaml": chartYAML, "ops/templates/a.yaml": fmt.Sprintf(
			`{apiVersion: v1, kind: Length, metadata: {name: "{{ len (repeat %d "x") }}"}}`, size)})
	}
	size := int64(600 << 20)
	if child.RaceDetector {
		size /= 20
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := render.Chart(t.Context(), heavy(size), "ops", render.ChartOptions{Workers: workers}); err != nil || len(got) != 1 {
				t.Errorf("%d objects, %v", len(got), err)
			}
			if child.RaceDetector {
				return // the kernel does not limit the memory
			}
			_, err := render.Chart(t.Context(), heavy(3000<<20), "ops", render.ChartOptions{Workers: workers})
			if err == nil || !strings.Contains(err.Error(), "more memory than 1024 MiB") {
				t.Errorf("too much memory: %v", err)
			}
		})
	}
	wg.Wait()
}

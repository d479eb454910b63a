package gitops_test

import (
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
)

const ours = "https://git.example.com/platform/fleet"

// set is an ApplicationSet with generators.
func set(generators, name string) string {
	return "{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: s}, spec: {goTemplate: true, generators: [" + generators +
		"], template: {metadata: {name: '" + name + "'}, spec: {source: {repoURL: '" + ours + "', path: base}}}}}"
}

// Input that requires too much work is rejected soon, with a reason.
func TestHostile(t *testing.T) {
	t.Parallel()
	many := "{list: {elements: [" + strings.Repeat("{a: b},", 200) + "{a: b}]}}"
	matrix := func(a, b string) string { return "{matrix: {generators: [" + a + "," + b + "]}}" }
	git := "{git: {repoURL: '" + ours + "', files: [{path: '*'}]}}"
	for _, c := range []struct{ name, text, want string }{
		{"a product of products", set(matrix(many, matrix(many, many)), "a"), "more than 5000 sets"},
		{"generators in generators", set(matrix(many, matrix(many, matrix(many, many))), "a"), "more than 2 deep"},
		{"endless templates", set(many, "{{ range until 10000 }}{{ range until 10 }}{{ end }}{{ end }}"), "too many steps"},
		{"a template that grows", set(many, `{{ repeat 1000000 "a" }}{{ repeat 1000000 "a" }}`), "more than 1 MiB"},
		{"a large file", set(git, "a"), "cannot be read"},
		{"a long text of elements", set("{list: {elementsYaml: '"+strings.Repeat("a", 2<<20)+"'}}", "a"), "more than 1 MiB"},
		{"a long pattern", set("{git: {repoURL: '"+ours+"', files: [{path: '"+strings.Repeat("*a", 1000)+"'}]}}", "a"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := tree{"set.yaml": c.text, "base/a.yaml": strings.Repeat("#", 2<<20)}
			started := time.Now()
			result := gitops.Read(objectsOf(files), gitops.Options{Remotes: []string{ours}, Tree: files})
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if c.want == "" && len(result.NotChecked) == 0 {
				return
			}
			if len(result.NotChecked) != 1 || !strings.Contains(result.NotChecked[0].Message, c.want) {
				t.Errorf("got %v, want %q", result.NotChecked, c.want)
			}
		})
	}
}

// FuzzRead reads arbitrary objects. Nothing may panic, and every position lies in the file.
func FuzzRead(f *testing.F) {
	f.Add(set("{list: {elements: [{a: b}]}}", "{{ .a }}"))
	f.Add(set("{git: {repoURL: '"+ours+"', directories: [{path: '*'}], values: {a: '{{ .path }}'}}}, {merge: {mergeKeys: [a], generators: [{list: {}}, {clusters: {}}]}}", "{{ .a }}"))
	f.Add("{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {path: base, dependsOn: [{name: b}, {name: a, readyExpr: x}]}}\n---\n" +
		"{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a, annotations: {argocd.argoproj.io/sync-wave: x}}, spec: {source: {repoURL: u, path: base}}}")
	f.Add("{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chartRef: {}, valuesFrom: [null, {kind: ConfigMap}], postRenderers: [a]}}")
	f.Add("{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {sources: [{ref: a, helm: {valueFiles: ['$a/b', '${c}', '../..', '*']}, chart: x, kustomize: {images: ['=', 'a:b@c'], replicas: [{count: x}]}}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		files := tree{"f.yaml": text, "base/Chart.yaml": "a: [1, {b: c}]"}
		result := gitops.Read(objectsOf(files), gitops.Options{Remotes: []string{ours}, Tree: files})
		reasons, order := result.NotChecked, applying.NewOrder(result)
		for _, a := range result.Applications {
			reasons = append(reasons, a.NotChecked...)
			for _, s := range a.Sources {
				s.Contents(files.Names())
				if _, err := s.Kustomize.Edit(nil, s.Path.Value, func(string) bool { return true }); err != nil {
					t.Error(err)
				}
			}
			result.CanCreate(a, nil, clusterBinding)
			order.Of(applying.Member{Application: a}, applying.Member{Application: result.Applications[0]})
		}
		for _, reason := range reasons {
			if at := reason.Location.Position(); at.File != "f.yaml" || at.Line < 1 {
				t.Errorf("%s: %s", at, reason.Message)
			}
		}
	})
}

package applications

import (
	"strings"
	"testing"
)

// appSet is an ApplicationSet with generators and the rest of a source.
func appSet(generators, source string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set}\nspec:\n  generators: " + generators + "\n" +
		"  template: {metadata: {name: 'x-{{name}}'}, spec: {source: {repoURL: https://example.com/r, " + source + "}}}\n"
}

// A file is unresolved exactly if an application that is not fully known may change its objects.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	const clusters, prefix = "[{clusters: {}}]", ", kustomize: {namePrefix: '{{name}}-'}"
	matrix := "[{matrix: {generators: [{git: {repoURL: https://example.com/r, directories: [{path: env/*}]}}, {clusters: {}}]}}]"
	tests := []struct{ name, applies, want string }{
		{"clusters, as it is", appSet(clusters, "path: env/one"), ""},
		{"clusters, with a prefix", appSet(clusters, "path: env/one"+prefix), "env/one base"},
		{"only images", appSet(clusters, "path: env/one, kustomize: {images: ['a=b:{{name}}']}"), ""},
		{"values", appSet(clusters, "path: chart, helm: {valueFiles: ['{{name}}.yaml']}"), "chart"},
		{"a program", argo("one", "path: env/two, plugin: {name: p}"), "env/two"},
		{"a program on top of a base", argo("one", "path: env/one, plugin: {name: p}"), "env/one base"},
		{"a path that may be it", appSet(clusters, "path: 'env/{{name}}'"+prefix), "env/one env/two base"},
		{"a path that is another", appSet(clusters, "path: 'other/{{name}}'"+prefix), ""},
		{"a path with a condition", appSet(clusters, "path: '{{if eq .name \"a\"}}env/one{{else}}env/two{{end}}'"+prefix),
			"env/one env/two base chart"},
		{"as many folders as are known", appSet(matrix, "path: '{{path}}'"+prefix), "env/one env/two base"},
		{"as many folders, as they are", appSet(matrix, "path: '{{path}}'"), ""},
		{"elements that are too many things", appSet("[{list: {elements: [{a: [1]}]}}]", "path: env/two"+prefix), "env/two"},
		{"a patch of the template", strings.Replace(appSet(clusters, "path: env/two"), "spec:\n", "spec:\n  templatePatch: '{{name}}'\n", 1),
			"env/two"},
		{"another repository", strings.ReplaceAll(appSet(clusters, "path: env/two"+prefix), "example.com/r", "example.net/other"), ""},
		{"a path of Flux", flux("one", "path: './env/${where}', postBuild: {substitute: {a: b}}"), "env/one env/two base"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, set := build(t, map[string]string{
				"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": config("a"),
				"env/one/kustomization.yaml": "resources: [../../base, a.yaml]\n", "env/one/a.yaml": config("b"), "env/two/a.yaml": config("c"),
				"chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "chart/a.yaml": "a: b\n", "apps/app.yaml": test.applies,
			}, "https://example.com/r.git")
			var got []string
			for _, dir := range []string{"env/one", "env/two", "base", "chart"} {
				if problem, is := set.Unresolved(dir + "/a.yaml"); is {
					got = append(got, dir)
					if problem.Position.File != "apps/app.yaml" || problem.Message == "" {
						t.Errorf("%s: %+v", dir, problem)
					}
				}
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("not proven are %q, want %q", text, test.want)
			}
		})
	}
}

// A kustomization that is applied unchanged, to whichever cluster, is a unit although another one lists it.
func TestUnresolvedSourceIsUnit(t *testing.T) {
	t.Parallel()
	units, _ := build(t, map[string]string{
		"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": config("a"),
		"env/kustomization.yaml": "resources: [../base]\nnamePrefix: x-\n", "app.yaml": appSet("[{clusters: {}}]", "path: base"),
	}, "https://example.com/r.git")
	if got := strings.Join(shown(units, nil), "; "); !strings.Contains(got, "the kustomization base: [a]") {
		t.Error(got)
	}
}

func TestIgnoredBySource(t *testing.T) {
	t.Parallel()
	source := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\n" +
		"spec: {url: https://example.com/r, ignore: \"/*\\n!/k\\n!/base\\n*-new.yaml\\n\"}\n"
	_, set := build(t, map[string]string{
		"k/kustomization.yaml": "resources: [../base/a.yaml]\n", "base/a.yaml": config("a"), "other/a.yaml": config("o"),
		"apps.yaml": source + "---\n" + flux("one", "path: ./k"),
	})
	for file, want := range map[string]bool{
		"k/a-new.yaml": true, "base/a-new.yaml": true, "base/a.yaml": false, "k/b.yaml": false, "other/a-new.yaml": false,
	} {
		if place, by, is := set.IgnoredBySource(file); is != want || is && (place != "apps.yaml:4:36" || by != "Flux Kustomization flux-system/one") {
			t.Errorf("%s: %t by %s at %s, want %t", file, is, by, place, want)
		}
	}
}

func TestSingleValueError(t *testing.T) {
	t.Parallel()
	units, _ := build(t, map[string]string{
		"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "c/values.yaml": "{}\n", "c/templates/a.yaml": config("a"),
		"app.yaml": argo("one", "path: c, helm: {values: 'a: {b: c}', parameters: [{name: 'a[0].b', value: d}]}"),
	})
	problems := units[0].Problems
	if len(problems) == 0 || !strings.Contains(problems[0].Message, `the value "a[0].b" cannot be set by Helm`) {
		t.Errorf("%+v", problems)
	}
}

package applications

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/render"
)

// build builds the units of a repository, given as texts by file name.
func build(t *testing.T, repository filestest.Tree, remotes ...string) ([]*objects.Unit, *Set) {
	t.Helper()
	units, set, err := Build(context.Background(), optionsOf(t, repository, remotes...))
	if err != nil {
		t.Fatal(err)
	}
	return units, set
}

func optionsOf(t *testing.T, repository filestest.Tree, remotes ...string) Options {
	t.Helper()
	o := Options{Remotes: remotes, Names: repository.Names()}
	trees := assembly.FindCharts(o.Names)
	for _, name := range o.Names {
		if _, template := trees.Template(name); template {
			continue
		}
		for _, doc := range manifest.Scan(name, []byte(repository[name])).Docs {
			if doc.Parse() != nil {
				continue
			}
			if !objects.IsKustomizationFile(name) {
				o.Objects = append(o.Objects, objects.Objects(doc)...)
			} else if k, err := objects.ReadKustomization(doc); err == nil {
				o.Kustomizations = append(o.Kustomizations, k)
			}
		}
	}
	files, workers := render.FromFS(repository.FS()), render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	o.Overlay = overlay.Options{Files: files, Workers: workers}
	o.Charts = charts.Options{Files: files, Workers: workers}
	return o
}

// shown describes the units with their objects, except those of Argo CD and Flux, and with the applications that apply
// them.
func shown(units []*objects.Unit, set *Set) []string {
	var lines []string
	for _, unit := range units {
		var objects, by []string
		for _, o := range unit.Objects {
			if !isGitOpsObject(o) {
				objects = append(objects, strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
			}
		}
		for _, a := range set.Of(unit) {
			by = append(by, a.Name.Value)
		}
		lines = append(lines, fmt.Sprintf("%s: %v by %v", unit, objects, by))
	}
	return lines
}

func config(name string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\n"
}

func argo(name, source string) string {
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + "}\n" +
		"spec:\n  destination: {namespace: shop}\n  source: {repoURL: https://example.com/r, " + source + "}\n"
}

func flux(name, spec string) string {
	return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name + ", namespace: flux-system}\n" +
		"spec: {sourceRef: {kind: GitRepository, name: flux-system}, " + spec + "}\n"
}

func TestBuild(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		repository map[string]string
		want       []string
	}{
		{"no application", map[string]string{"a.yaml": config("a")}, []string{"the unit of plain files: [a] by []"}},
		{"an unchanged kustomization", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"), "app.yaml": argo("one", "path: k"),
		}, []string{"the kustomization k: [a] by [one]", "the unit of plain files: [] by []"}},
		{"a kustomization that another one lists", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"),
			"o/kustomization.yaml": "resources: [../k]\nnamePrefix: o-\n", "app.yaml": argo("one", "path: k"),
		}, []string{"the kustomization k: [a] by [one]", "the kustomization o: [o-a] by []", "the unit of plain files: [] by []"}},
		{"with changes only", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\nnamePrefix: k-\n", "k/a.yaml": config("a"),
			"app.yaml": argo("one", "path: k, kustomize: {namePrefix: x-}") + "---\n" + argo("two", "path: k, kustomize: {nameSuffix: -y}"),
		}, []string{
			"the Argo CD Application one: [shop/x-a] by [one]", "the Argo CD Application two: [shop/k-a-y] by [two]",
			"the unit of plain files: [] by []",
		}},
		{"with and without changes", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"),
			"app.yaml": argo("one", "path: k, kustomize: {namePrefix: x-}") + "---\n" + argo("two", "path: k"),
		}, []string{
			"the kustomization k: [a] by [two]", "the Argo CD Application one: [shop/x-a] by [one]", "the unit of plain files: [] by []",
		}},
		{"labels", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"),
			"app.yaml": argo("one", "path: k, kustomize: {commonLabels: {a: b}}"),
		}, []string{"the Argo CD Application one: [shop/a] by [one]", "the unit of plain files: [] by []"}},
		{"files", map[string]string{
			"d/a.yaml": config("a"), "d/below/b.yaml": config("b"), "d/c.yaml": "# +argocd:skip-file-rendering\n" + config("c"),
			"app.yaml": argo("one", "path: d"),
		}, []string{"the Argo CD Application one: [shop/a] by [one]", "the unit of plain files: [b c] by []"}},
		{"the same name twice", map[string]string{
			"d/a.yaml": config("a"), "e/a.yaml": config("a"), "x/app.yaml": argo("one", "path: d"), "y/app.yaml": argo("one", "path: e"),
		}, []string{
			"the Argo CD Application one: [shop/a] by [one]", "the Argo CD Application one (y): [shop/a] by [one]",
			"the unit of plain files: [] by []",
		}},
		{"a folder for which Flux writes the kustomization", map[string]string{
			"d/a.yaml": config("a"), "d/k/kustomization.yaml": "resources: [b.yaml]\nnamePrefix: k-\n", "d/k/b.yaml": config("b"),
			"f.yaml": flux("one", "path: ./d, targetNamespace: shop"),
		}, []string{"the Flux Kustomization flux-system/one: [shop/a shop/k-b] by [one]", "the unit of plain files: [] by []"}},
		{"variables, also in a parent", map[string]string{
			"env/one.yaml": flux("inner", "path: './${where}', postBuild: {substitute: {name: filled}}"),
			"d/a.yaml":     config("'${name}'"),
			"root.yaml":    flux("outer", "path: env, postBuild: {substitute: {where: d}}"),
		}, []string{
			"the Flux Kustomization flux-system/inner: [filled] by [inner]", "the Flux Kustomization flux-system/outer: [] by [outer]",
			"the unit of plain files: [] by []",
		}},
		{"a chart", map[string]string{
			"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "c/values.yaml": "name: own\n",
			"c/templates/a.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-{{ .Values.name }}\n  namespace: {{ .Release.Namespace }}\n",
			"app.yaml":           argo("one", "path: c, helm: {values: 'name: text', parameters: [{name: name, value: single}]}"),
		}, []string{"the Argo CD Application one: [shop/one-single] by [one]", "the unit of plain files: [] by []"}},
		{"a patch that cannot be applied", map[string]string{
			"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"),
			"app.yaml": argo("one", "path: k, kustomize: {patches: [{target: {kind: Service}, patch: '- {op: remove, path: /spec}'}]}"),
		}, []string{"the Argo CD Application one: [shop/a] by [one]", "the unit of plain files: [] by []"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, shown(build(t, test.repository))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A field is traced to the application if that sets it, and otherwise to the line that the user wrote.
func TestTraces(t *testing.T) {
	t.Parallel()
	units, _ := build(t, map[string]string{
		"k/kustomization.yaml": "resources: [a.yaml]\n", "k/a.yaml": config("a"),
		"app.yaml": argo("one", "path: k, kustomize: {namePrefix: x-, patches: [{target: {kind: Service}, "+
			"patch: '- {op: add, path: /spec, value: {type: ClusterIP}}'}]}"),
	})
	o := units[0].Objects[0]
	for path, want := range map[string]string{
		"kind": "k/a.yaml:2:1", "metadata.name": "k/a.yaml:3:12", "metadata.namespace": "app.yaml:5:17", "spec.type": "app.yaml:6:91",
	} {
		if got := o.Position(strings.Split(path, ".")).String(); got != want {
			t.Errorf("%s is shown at %s, want %s", path, got, want)
		}
	}
}

// Sources that are not read are reported. Sources in other repositories share one note, and are reported only if they may
// concern the rules.
func TestProblems(t *testing.T) {
	t.Parallel()
	elsewhere := func(name, address string) string {
		return strings.ReplaceAll(argo(name, "path: p"), "https://example.com/r", address)
	}
	_, set := build(t, map[string]string{
		"a.yaml": elsewhere("web", "https://example.net/web"),
		"b.yaml": elsewhere("operators", "https://example.net/one") + "---\n" + elsewhere("catalog", "https://example.net/two"),
		"c.yaml": argo("gone", "path: gone"),
	}, "https://example.com/r.git")
	var got []string
	for _, p := range set.Problems {
		got = append(got, fmt.Sprintf("%s: %.40s… and %d more", p.Position, p.Message, len(p.Related)))
	}
	want := []string{
		"b.yaml:6:3: 2 sources of applications are in other r… and 1 more",
		"c.yaml:6:44: the folder gone is not in the repository… and 0 more",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A new file in a folder that an application applies belongs to the application's unit.
func TestReads(t *testing.T) {
	t.Parallel()
	units, _ := build(t, map[string]string{"d/a.yaml": config("a"), "app.yaml": argo("one", "path: d")})
	for file, want := range map[string]bool{"d/new.yaml": true, "d/below/new.yaml": false, "d/new.txt": false, "app.yaml": true} {
		if got := units[0].Reads(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

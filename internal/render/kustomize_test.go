package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

// tree returns files in memory as the input of builds.
func tree(files filestest.Tree) render.Files { return render.FromFS(files.FS()) }

// lines describes objects with their origins.
func lines(objects []rendered.Object) []string {
	var out []string
	for _, o := range objects {
		id := strings.TrimPrefix(o.Namespace()+"/", "/") + o.Name()
		out = append(out, fmt.Sprintf("%s %s %s:%d", o.Kind(), id, o.Origin.File, o.Origin.Line))
	}
	return out
}

const account = `apiVersion: v1
kind: ServiceAccount
metadata: {name: installer, namespace: ops}
`

const extension = `# the operator
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: shop
spec:
  namespace: ops
  serviceAccount:
    name: installer
`

var base = map[string]string{
	"base/kustomization.yaml": "resources: [extension.yaml, rbac.yaml]\n",
	"base/extension.yaml":     extension,
	"base/rbac.yaml": account + `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: installer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: installer, namespace: ops}]
`,
}

// with returns files with more files.
func with(files map[string]string, more map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range more {
		all[name] = text
	}
	return all
}

func TestKustomize(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		files map[string]string
		dir   string
		want  []string
	}{
		"a base": {base, "base", []string{
			"ServiceAccount ops/installer base/rbac.yaml:1", "ClusterRoleBinding installer base/rbac.yaml:5",
			"ClusterExtension shop base/extension.yaml:2"}},
		"a prefix, a patch, a component and a generator": {with(base, map[string]string{
			"prod/kustomization.yaml": `
namePrefix: prod-
resources: [../base]
components: [../component]
patches:
- path: no-account.yaml
configMapGenerator:
- {name: settings, literals: [a=b]}
`,
			"prod/no-account.yaml": "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\n" +
				"metadata: {name: shop}\nspec: {serviceAccount: null}\n",
			"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [extra.yaml]\n",
			"component/extra.yaml":         strings.ReplaceAll(account, "installer", "extra"),
		}), "prod", []string{
			"ServiceAccount ops/prod-extra component/extra.yaml:1", "ServiceAccount ops/prod-installer base/rbac.yaml:1",
			"ClusterRoleBinding prod-installer base/rbac.yaml:5", "ConfigMap prod-settings-4h2mbtbbt6 prod/kustomization.yaml:0",
			"ClusterExtension prod-shop base/extension.yaml:2"}},
		"the root": {map[string]string{"Kustomization": "resources: [a.yaml]", "a.yaml": account}, ".",
			[]string{"ServiceAccount ops/installer a.yaml:1"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := render.Kustomize(t.Context(), tree(test.files), test.dir, render.KustomizeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Requesting origins must not change what the library builds.
func TestKustomizeTakesOutItsAnnotations(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/kustomization.yaml": "resources: [x.yaml]\n", "a/x.yaml": account}
	got, err := render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": "installer", "namespace": "ops"}}
	if diff := cmp.Diff(want, got[0].JSON); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	files["a/kustomization.yaml"] += "buildMetadata: [originAnnotations]\n"
	got, err = render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if origin := got[0].Annotation("config.kubernetes.io/origin"); origin != "path: x.yaml\n" {
		t.Errorf("the annotation that the user asked for is %q", origin)
	}
}

func TestKustomizeLeavesRemoteOut(t *testing.T) {
	t.Parallel()
	files := with(base, map[string]string{"prod/kustomization.yaml": `resources:
- ../base
- https://example.com/more.yaml
- github.com/example/bases//shop?ref=v1
configMapGenerator:
- name: settings
  files: [board.json=https://example.com/board.json]
`})
	var left []string
	o := render.KustomizeOptions{Remote: func(e render.RemoteError) { left = append(left, e.Error()) }}
	got, err := render.Kustomize(t.Context(), tree(files), "prod", o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 {
		t.Errorf("objects: %q", lines(got))
	}
	want := []string{
		`prod/kustomization.yaml:3:3: resources: "https://example.com/more.yaml" is not in the repository, and salint fetches nothing`,
		`prod/kustomization.yaml:4:3: resources: "github.com/example/bases//shop?ref=v1" is not in the repository, and salint fetches nothing`,
		`prod/kustomization.yaml:7:11: configMapGenerator: "board.json=https://example.com/board.json" is not in the repository, and salint fetches nothing`,
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestKustomizeErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		files map[string]string
		dir   string
		want  string
	}{
		"itself":           {map[string]string{"a/kustomization.yaml": "resources: [.]"}, "a", "cycle detected"},
		"a cycle":          {map[string]string{"a/kustomization.yaml": "resources: [../b]", "b/kustomization.yaml": "resources: [../a]"}, "a", "cycle detected"},
		"above the root":   {map[string]string{"a/kustomization.yaml": "resources: [../../etc]"}, "a", "outside the repository"},
		"an absolute path": {map[string]string{"a/kustomization.yaml": "resources: [/etc/passwd]"}, "a", "outside the repository"},
		"a folder outside": {nil, "../a", "outside the repository"},
		"a file of another kustomization": {map[string]string{"a/kustomization.yaml": "resources: [../b/x.yaml]", "b/x.yaml": account}, "a",
			"is not in or below 'a'"},
		"what is missing": {map[string]string{"a/kustomization.yaml": "resources: [x.yaml]"}, "a", "a/kustomization.yaml:1: kustomize: "},
		"no folder":       {nil, "a", "a:1: kustomize: "},
		"a chart": {map[string]string{"a/kustomization.yaml": "namePrefix: x-\nhelmCharts: [{name: x}]"}, "a",
			"a/kustomization.yaml:2:14: the chart x was not checked: it is not in the repository"},
		"an old chart": {map[string]string{"a/kustomization.yaml": "helmChartInflationGenerator: [{chartName: x}]"}, "a", "runs the program helm"},
		"a plugin that starts a chart": {map[string]string{"a/kustomization.yaml": "generators: [g.yaml]",
			"a/g.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: x\n"}, "a", "the chart x was not checked: it is not in the repository"},
		"a program": {map[string]string{"a/kustomization.yaml": "generators: [g.yaml]",
			"a/g.yaml": "apiVersion: example.com/v1\nkind: Maker\nmetadata: {name: x}\n"}, "a", "salint runs no programs"},
		"a container": {map[string]string{"a/kustomization.yaml": "transformers: [g.yaml]",
			"a/g.yaml": "apiVersion: example.com/v1\nkind: Maker\nmetadata:\n  name: x\n  annotations:\n    config.kubernetes.io/function: |\n" +
				"      container: {image: example.com/x}\n"}, "a", "salint runs no programs"},
		"an alias to itself":    {map[string]string{"a/kustomization.yaml": "resources: [x.yaml]", "a/x.yaml": "kind: &a [*a]\n"}, "a", ""},
		"a remote patch":        {remote("patches: [{path: 'https://example.com/p.yaml'}]"), "a", `a/kustomization.yaml:1:12: patches: "https://example.com/p.yaml"`},
		"a remote file to keep": {remote("configMapGenerator: [{name: x, files: ['k=HTTPS://example.com/p.yaml']}]"), "a", `configMapGenerator: "k=HTTPS`},
		"a remote base":         {remote("bases: ['git@example.com:a/b.git']"), "a", `bases: "git@example.com:a/b.git"`},
		"a remote component":    {remote("components: ['ssh://git@example.com/a/b']"), "a", `components: `},
		"a remote generator":    {remote("generators: ['http:example.com']"), "a", `generators: `},
		"capitals":              {remote("Resources: ['https://example.com/a']"), "a", `a/kustomization.yaml:1:1: resources: "https://example.com/a" is not`},
		"capitals in an item":   {remote("ConfigMapGenerator: [{name: x, Files: ['k=https://example.com/p.yaml']}]"), "a", `configMapGenerator: "k=https`},
		"capitals of a chart":   {remote("HelmCharts: [{name: x}]"), "a", "the chart x was not checked: it is not in the repository"},
		"capitals of one of two fields": {remote("resources: []\nResources: []"), "a",
			"a/kustomization.yaml:2:1: Resources and resources are the same field for kustomize: keep one of them"},
		"a remote schema": {remote("openapi: {path: 'https://example.com'}"), "a", `openapi: `},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := render.Kustomize(t.Context(), tree(test.files), test.dir, render.KustomizeOptions{})
			if err == nil {
				t.Fatalf("built %q", lines(got))
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if strings.Contains(err.Error(), "salint-root") {
				t.Errorf("the message shows the inside of the program: %v", err)
			}
		})
	}
}

// TestUnrestricted builds kustomizations that read files of the repository outside of their folders, as Flux does.
func TestUnrestricted(t *testing.T) {
	t.Parallel()
	files := with(base, map[string]string{
		"apps/shop/kustomization.yaml": "resources: [../../base/rbac.yaml]\npatches: [{path: ../patch.yaml}]\n" +
			"configMapGenerator: [{name: settings, files: [../patch.yaml], options: {disableNameSuffixHash: true}}]\n",
		"apps/patch.yaml": account + "secrets: [{name: token}]\n",
	})
	unrestricted := render.KustomizeOptions{Unrestricted: true}
	got, err := render.Kustomize(t.Context(), tree(files), "apps/shop", unrestricted)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ServiceAccount ops/installer base/rbac.yaml:1", "ClusterRoleBinding installer base/rbac.yaml:5",
		"ConfigMap settings apps/shop/kustomization.yaml:0",
	}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := render.Kustomize(t.Context(), tree(files), "apps/shop", render.KustomizeOptions{}); err == nil {
		t.Error("built with the restriction")
	}
	for _, entry := range []string{"/etc/passwd", "../../../etc/passwd", "../../a/../../etc/passwd", "../../../salint-root-2/x"} {
		for _, text := range []string{"resources: [%s]", "patches: [{path: %s}]", "configMapGenerator: [{name: x, files: [%s]}]"} {
			outside := map[string]string{"a/b/kustomization.yaml": fmt.Sprintf(text, entry)}
			if _, err := render.Kustomize(t.Context(), tree(outside), "a/b", unrestricted); err == nil || !strings.Contains(err.Error(), "outside the repository") {
				t.Errorf("%s: %s: %v", text, entry, err)
			}
		}
	}
}

// TestCapitals builds a kustomization whose fields are in capitals, as kustomize does.
func TestCapitals(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/kustomization.yaml": "RESOURCES: [x.yaml]\nNamePrefix: p-\n", "a/x.yaml": account}
	got, err := render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
	if err != nil || len(got) != 1 || got[0].Name() != "p-installer" {
		t.Errorf("%v, %v", lines(got), err)
	}
}

// kustomize quotes patches that it cannot apply.
func TestKustomizeErrorsKeepSecrets(t *testing.T) {
	t.Parallel()
	patches := map[string]string{
		"patches":               "patches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    stringData: {password: hunter2\n",
		"for nobody":            "patches:\n- patch: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: x}\n    stringData: {password: hunter2}\n",
		"patchesStrategicMerge": "patchesStrategicMerge:\n- |\n  apiVersion: v1\n  kind: Secret\n  stringData: {password: hunter2\n",
		"no kind":               "patches:\n- patch: |\n    stringData: {password: hunter2}\n",
		"patchesJson6902":       "patchesJson6902:\n- target: {version: v1, kind: ServiceAccount, name: installer}\n  patch: |\n    - {op: add, value: hunter2}\n",
		"generated":             "secretGenerator:\n- {name: x, literals: [hunter2]}\n",
	}
	for name, text := range patches {
		files := map[string]string{"a/kustomization.yaml": "resources: [x.yaml]\n" + text, "a/x.yaml": account}
		_, err := render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	files := map[string]string{"a/kustomization.yaml": "resources: [x.yaml]\n", "a/x.yaml": "kind: Secret\nstringData: {password: hunter2}\n"}
	_, err := render.Kustomize(t.Context(), tree(files), "a", render.KustomizeOptions{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a resource: %v", err)
	}
}

func remote(kustomization string) map[string]string {
	return map[string]string{"a/kustomization.yaml": kustomization}
}

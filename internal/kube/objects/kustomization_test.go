package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/objects/objectstest"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

func readKustomization(t *testing.T, file, text string) (*objects.Kustomization, error) {
	t.Helper()
	return objects.ReadKustomization(objectstest.Parse(t, file, text)[0])
}

func TestReadKustomization(t *testing.T) {
	t.Parallel()
	k, err := readKustomization(t, "overlays/prod/kustomization.yaml", `# what prod applies
resources:
- ../../base
- argocd.yaml  # the extension
bases: [../legacy]
components: [../../components/ha]
namePrefix: prod-
commonLabels: {app: a}
`)
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for _, e := range k.Resources {
		entries = append(entries, fmt.Sprintf("%s %s → %s %s %s", e.Field, e.Value, e.Target, e.Path, e.Position))
	}
	file := "overlays/prod/kustomization.yaml"
	want := []string{
		"resources ../../base → base resources[0] " + file + ":3:3",
		"resources argocd.yaml → overlays/prod/argocd.yaml resources[1] " + file + ":4:3",
		"bases ../legacy → overlays/legacy bases[0] " + file + ":5:9",
		"components ../../components/ha → components/ha components[0] " + file + ":6:14",
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"components at " + file + ":6", "namePrefix at " + file + ":7", "commonLabels at " + file + ":8"}, transforms(k)); diff != "" {
		t.Error(diff)
	}
	if k.Dir != "overlays/prod" || k.Transforms[1].Value != "prod-" {
		t.Errorf("Dir %q, prefix %q", k.Dir, k.Transforms[1].Value)
	}
	if entry, ok := k.Lists("overlays/prod/argocd.yaml"); !ok || entry.Value != "argocd.yaml" {
		t.Errorf("Lists = %v, %v", entry, ok)
	}
	if _, ok := k.Lists("argocd.yaml"); ok {
		t.Error("a file of another folder is listed")
	}
}

func transforms(k *objects.Kustomization) []string {
	var all []string
	for _, transform := range k.Transforms {
		all = append(all, transform.String())
	}
	return all
}

func TestKustomizationFields(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text       string
		transforms bool
	}{
		{"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: a}", false},
		{"labels: [{pairs: {a: b}, includeSelectors: true}]", true},
		{"labels: [{pairs: {a: b}, fields: [{path: spec/x, create: true}]}]", true},
		{"commonLabels: {a: b}", true},
		{"commonAnnotations: {a: b}", true},
		{"images: [{name: a, newTag: b}]", true},
		{"replicas: [{name: a, count: 3}]", true},
		{"generatorOptions: {disableNameSuffixHash: true}", false},
		{"configMapGenerator: [{name: a, files: [b]}]", true},
		{"secretGenerator: [{name: a, files: [b]}]", true},
		{"buildMetadata: [originAnnotations]", true},
		{"sortOptions: {order: fifo}", false},
		{"openapi: {path: schema.json}", false},
		{"crds: [crd.json]", false},
		{"helmGlobals: {chartHome: charts}", false},
		{"namePrefix: a-", true},
		{"nameSuffix: -a", true},
		{"namespace: a", true},
		{"patches: [{path: a.yaml}]", true},
		{"patchesStrategicMerge: [a.yaml]", true},
		{"patchesJson6902: [{path: a.yaml}]", true},
		{"components: [a]", true},
		{"replacements: [{path: a.yaml}]", true},
		{"vars: [{name: A}]", true},
		{"transformers: [a.yaml]", true},
		{"configurations: [a.yaml]", true},
		{"generators: [a.yaml]", true},
		{"validators: [a.yaml]", true},
		{"helmCharts: [{name: a}]", true},
		{"helmChartInflationGenerator: [{chartName: a}]", true},
		{"fieldOfTomorrow: {a: b}", true},
		{"base: &b {a: 1}\n<<: *b", true},
		{"namePrefix: \"\"\npatches: []\nnamespace:\nvars: {}", false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			k, err := readKustomization(t, "kustomization.yaml", test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(k.Transforms) > 0; got != test.transforms {
				t.Errorf("transforms = %v, want %v: %v", got, test.transforms, transforms(k))
			}
		})
	}
}

func TestKustomizationClaims(t *testing.T) {
	t.Parallel()
	k, err := readKustomization(t, "a/kustomization.yaml", `
patches:
- path: one.yaml
- patch: |-
    kind: Pod
- {path: ../two.yaml, target: {kind: Pod}}
patchesStrategicMerge:
- three.yaml
- |
  kind: Pod
patchesJson6902: [{path: four.json}]
replacements: [{path: five.yaml}]
transformers: [six.yaml]
openapi: {path: seven.json}
helmCharts: [{name: c, valuesFile: eight.yaml, additionalValuesFiles: [nine.yaml]}]
configMapGenerator: [{name: c, files: [ten.yaml, key=eleven.yaml], envs: [twelve.env], literals: [no=no.yaml]}]
secretGenerator: [{name: c, env: a=b.env}]
crds: [thirteen.yaml]
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, claim := range k.NonObjectInputs {
		got = append(got, claim.Field+" "+claim.File)
	}
	want := []string{
		"patches a/one.yaml", "patches two.yaml", "patchesStrategicMerge a/three.yaml", "patchesJson6902 a/four.json",
		"replacements a/five.yaml", "transformers a/six.yaml", "openapi a/seven.json", "helmCharts a/eight.yaml",
		"helmCharts a/nine.yaml", "configMapGenerator a/ten.yaml", "configMapGenerator a/eleven.yaml",
		"configMapGenerator a/twelve.env", "secretGenerator a/a=b.env", "crds a/thirteen.yaml",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadKustomizationErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- a\n": "k/kustomization.yaml:1:1: a kustomization must be a mapping",
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n": `k/kustomization.yaml:1:13: apiVersion is "kustomize.toolkit.fluxcd.io/v1"`,
		"resources: []\nkind: Pod\n":                                        `k/kustomization.yaml:2:7: kind is "Pod"`,
	} {
		_, err := readKustomization(t, "k/kustomization.yaml", text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	doc := manifest.Scan("kustomization.yaml", []byte("a: [\n")).Docs[0]
	if _, err := objects.ReadKustomization(doc); err == nil {
		t.Error("no error for a document that was not parsed")
	}
}

func TestKustomizationProblems(t *testing.T) {
	t.Parallel()
	k, err := readKustomization(t, "kustomization.yaml", "resources:\n- {a: b}\n-\n- good.yaml\nbases: x\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := problems(k.Problems); len(got) != 3 || len(k.Resources) != 1 || k.Resources[0].Path.String() != "resources[2]" {
		t.Errorf("problems %v, entries %v", got, k.Resources)
	}
}

func problems(all []objects.Problem) []string {
	var texts []string
	for _, p := range all {
		texts = append(texts, p.Position.String()+" "+p.Message)
	}
	return texts
}

func TestEntryRemote(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"https://example.com/a.yaml":                true,
		"http://example.com/a":                      true,
		"ssh://git@example.com/a/b":                 true,
		"file:///a/b":                               true,
		"git::https://example.com/a//b?ref=v1":      true,
		"git@example.com:a/b.git":                   true,
		"github.com/organisation/repository//dir":   true,
		"github.com/organisation/repository?ref=v1": true,
		"git.example.com/a/b?ref=v1":                true,
		"git.example.com/a/b?version=v1":            true,
		"base":                                      false,
		"../base":                                   false,
		"./deploy.yaml":                             false,
		"v1.2/deploy.yaml":                          false,
		"../base?ref=v1":                            false,
		"folder.with.dots":                          false,
		"a@b/c":                                     false,
	} {
		if got := (objects.Entry{Value: value}).Remote(); got != want {
			t.Errorf("%s: remote = %v", value, got)
		}
	}
}

func TestIsKustomizationFile(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"kustomization.yaml": true, "a/kustomization.yml": true, "a/b/Kustomization": true,
		"Kustomization.yaml": false, "kustomization": false, "kustomization.yaml/a.yaml": false,
	} {
		if got := objects.IsKustomizationFile(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

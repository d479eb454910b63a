package assembly_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// tree is a repository in memory.
type tree = filestest.Tree

// summary formats units as "kind name: files of their objects".
func summary(units []*objects.Unit) []string {
	var lines []string
	for _, u := range units {
		var files []string
		for _, o := range u.Objects {
			files = append(files, o.File)
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", u.Kind, u.Name, strings.Join(files, " ")))
	}
	return lines
}

func manifestOf(apiVersion, kind, namespace, name string) string {
	lines := []string{"apiVersion: " + apiVersion, "kind: " + kind, "metadata:", "  name: " + name}
	if namespace != "" {
		lines = append(lines, "  namespace: "+namespace)
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestUnits(t *testing.T) {
	t.Parallel()
	pod := manifestOf("v1", "Pod", "", "p")
	tests := []struct {
		name string
		tree tree
		want []string
	}{
		{
			"only files",
			tree{"b.yaml": pod, "a/c.json": `{"kind": "Pod"}`},
			[]string{"plain .: a/c.json b.yaml"},
		},
		{"empty", tree{"values.yaml": "a: b\n"}, nil},
		{
			"a base and two overlays",
			tree{
				"base/kustomization.yaml":          "resources: [pod.yaml]",
				"base/pod.yaml":                    pod,
				"overlays/dev/kustomization.yaml":  "resources: [../../base, dev.yaml]",
				"overlays/dev/dev.yaml":            pod,
				"overlays/prod/kustomization.yaml": "bases: [../../base/]",
			},
			[]string{"kustomization overlays/dev: base/pod.yaml overlays/dev/dev.yaml", "kustomization overlays/prod: base/pod.yaml"},
		},
		{
			"a copy beside a kustomization that does not list it",
			tree{"kustomization.yaml": "resources: [./a.yaml]", "a.yaml": pod, "b.yaml": pod},
			[]string{"kustomization .: a.yaml", "plain .: b.yaml"},
		},
		{
			"a file in two units",
			tree{
				"x/kustomization.yaml": "resources: [../pod.yaml]",
				"y/kustomization.yml":  "resources: [../pod.yaml]",
				"pod.yaml":             pod,
			},
			[]string{"kustomization x: pod.yaml", "kustomization y: pod.yaml"},
		},
		{
			"a component is part of the kustomization that lists it",
			tree{
				"app/kustomization.yaml": "components: [../ha]",
				"ha/kustomization.yaml":  "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [pod.yaml]",
				"ha/pod.yaml":            pod,
			},
			[]string{"kustomization app: ha/pod.yaml"},
		},
		{
			"a diamond counts once",
			tree{
				"kustomization.yaml":   "resources: [a, b]",
				"a/kustomization.yaml": "resources: [../c]",
				"b/kustomization.yaml": "resources: [../c]",
				"c/kustomization.yaml": "resources: [pod.yaml]",
				"c/pod.yaml":           pod,
			},
			[]string{"kustomization .: c/pod.yaml"},
		},
		{
			"a cycle, and a kustomization that lists itself",
			tree{
				"a/kustomization.yaml": "resources: [../b, pod.yaml]",
				"a/pod.yaml":           pod,
				"b/kustomization.yaml": "resources: [../a]",
				"c/kustomization.yaml": "resources: [., pod.yaml]",
				"c/pod.yaml":           pod,
			},
			[]string{"kustomization a: a/pod.yaml", "kustomization c: c/pod.yaml"},
		},
		{
			"patches are not objects, unless another kustomization lists them",
			tree{
				"a/kustomization.yaml": "patches: [{path: patch.yaml}, {path: ../b/pod.yaml}]",
				"a/patch.yaml":         pod,
				"b/kustomization.yaml": "resources: [pod.yaml]",
				"b/pod.yaml":           pod,
			},
			[]string{"kustomization a: ", "kustomization b: b/pod.yaml"},
		},
		{
			"charts",
			tree{
				"chart/Chart.yaml":                  "apiVersion: v2\nname: c\n",
				"chart/values.yaml":                 "kind: DaemonSet\napiVersion: v1\n",
				"chart/templates/pod.yaml":          pod,
				"chart/templates/sub/pod.yaml":      pod,
				"chart/charts/sub/Chart.yaml":       "apiVersion: v2\n",
				"chart/charts/sub/templates/x.yaml": pod,
				"chart/crds/crd.yaml":               manifestOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "c"),
				"templates/pod.yaml":                pod,
				"envs/values-prod.yaml":             "kind: DaemonSet\n",
				"envs/prod.values.yaml":             "kind: DaemonSet\n",
				"envs/core-values.yaml":             pod,
				"envs/valuesets.yaml":               "kind: DaemonSet\n",
			},
			[]string{"plain .: envs/core-values.yaml envs/valuesets.yaml templates/pod.yaml"},
		},
		{
			"a cycle below a root",
			tree{
				"a/kustomization.yaml": "resources: [../b]",
				"b/kustomization.yaml": "resources: [../c]",
				"c/kustomization.yaml": "resources: [../b, pod.yaml]",
				"c/pod.yaml":           pod,
			},
			[]string{"kustomization a: c/pod.yaml"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, summary(objectstest.Units(t, test.tree))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnitProblems(t *testing.T) {
	t.Parallel()
	units := objectstest.Units(t, tree{
		"a/kustomization.yaml": `resources:
- ../b
- ../empty
- missing.yaml
- ../../outside
- /etc/passwd
- https://example.com/a.yaml
- ../b/kustomization.yaml
`,
		"a/kustomization.yml":  "resources: []\n",
		"b/kustomization.yaml": "resources: [../a]\n",
		"empty/pod.yaml":       manifestOf("v1", "Pod", "", "p"),
	})
	want := []string{
		"a/kustomization.yml:1:1 kustomize reads one kustomization per folder: it reads a/kustomization.yaml, and this one was not checked",
		`b/kustomization.yaml:1:13 resources: "../a" leads back to a kustomization that lists it: kustomize refuses such a cycle`,
		`a/kustomization.yaml:3:3 resources: "../empty" is a folder without a readable kustomization`,
		`a/kustomization.yaml:4:3 resources: "missing.yaml" was not read: it does not exist`,
		`a/kustomization.yaml:5:3 resources: "../../outside" is outside the repository and was not checked`,
		`a/kustomization.yaml:6:3 resources: "/etc/passwd" is outside the repository and was not checked`,
		`a/kustomization.yaml:8:3 resources: "../b/kustomization.yaml" is a kustomization file: list its folder instead`,
	}
	var got []string
	for _, p := range units[0].Problems {
		got = append(got, p.Position.String()+" "+p.Message)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(units[0].Remotes) != 1 || units[0].Remotes[0].Position.String() != "a/kustomization.yaml:7:3" {
		t.Errorf("remotes %v", units[0].Remotes)
	}
}

// TestUnitsWithoutFiles checks that no file is reported as missing if the list of files is unknown.
func TestUnitsWithoutFiles(t *testing.T) {
	t.Parallel()
	tr := tree{"kustomization.yaml": "resources: [a.yaml, deploy.yaml]", "a.yaml": manifestOf("v1", "Pod", "", "p")}
	units := assembly.Units(objectstest.Objects(t, tr), objectstest.Kustomizations(t, tr))
	if len(units) != 1 || len(units[0].Problems) > 0 || len(units[0].Objects) != 1 {
		t.Errorf("%v %v", summary(units), units[0].Problems)
	}
}

func TestUnitTransforms(t *testing.T) {
	t.Parallel()
	units := objectstest.Units(t, tree{
		"base/kustomization.yaml":    "nameSuffix: -b\nresources: [pod.yaml]\n",
		"base/pod.yaml":              manifestOf("v1", "Pod", "", "p"),
		"overlay/kustomization.yaml": "namePrefix: o-\nresources: [../base]\n",
		"other/kustomization.yaml":   "resources: []\n",
	})
	var got []string
	for _, u := range units {
		for _, transform := range u.Transforms {
			got = append(got, u.Name+": "+transform.String())
		}
	}
	want := []string{"overlay: namePrefix at overlay/kustomization.yaml:1", "overlay: nameSuffix at base/kustomization.yaml:1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFluxKustomizationInAKustomizationFile checks that Flux's kind Kustomization is an object, even in a file that has
// kustomize's name.
func TestFluxKustomizationInAKustomizationFile(t *testing.T) {
	t.Parallel()
	tr := tree{"apps/kustomization.yaml": manifestOf("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "flux", "apps")}
	units := assembly.Units(objectstest.Objects(t, tr), nil, tr.Names()...)
	if diff := cmp.Diff([]string{"plain .: apps/kustomization.yaml"}, summary(units)); diff != "" {
		t.Error(diff)
	}
}

func TestChartTemplate(t *testing.T) {
	t.Parallel()
	charts := assembly.FindCharts([]string{"c/Chart.yaml", "c/charts/d/Chart.yaml", "c/templates/x.yaml"})
	for file, want := range map[string]string{
		"c/templates/x.yaml":            "c",
		"c/templates/a/b.yaml":          "c",
		"c/charts/d/templates/x.yaml":   "c/charts/d",
		"c/values.yaml":                 "",
		"c/templates.yaml":              "",
		"templates/x.yaml":              "",
		"c/charts/e/templates/own.yaml": "",
	} {
		chart, ok := charts.Template(file)
		if ok != (want != "") || ok && chart != want {
			t.Errorf("%s: %q, %v", file, chart, ok)
		}
	}
}

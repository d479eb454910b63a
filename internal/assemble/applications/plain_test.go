package applications

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/overlay"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// A longer run: go test ./internal/assemble/applications -run TestFoldersOfReleases -plain.runs 2000 -plain.seed 1000
var (
	plainRuns = flag.Uint64("plain.runs", 60, "how many random clusters are built")
	plainSeed = flag.Uint64("plain.seed", 0, "the first seed")
)

// TestFoldersOfReleases builds the folders of clusters that Flux manages, with kustomize and, where that is known to be the same, without:
// the objects, where each of their fields comes from, and all problems are the same. Many of the builds are saved.
func TestFoldersOfReleases(t *testing.T) {
	t.Parallel()
	seeds := *plainRuns
	if testing.Short() {
		seeds = min(seeds, 20)
	}
	workers := render.NewWorkers(render.Limits{})
	t.Cleanup(workers.Close)
	quick, all := 0, 0
	for seed := *plainSeed; seed < *plainSeed+seeds; seed++ {
		files := randomCluster(rand.New(rand.NewPCG(seed, 14)))
		got, some := textOfUnits(t, files, overlay.Options{Workers: workers})
		want, each := textOfUnits(t, files, overlay.Options{Workers: workers, ByKustomize: true})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-kustomize +without):\n%s\n%s", seed, diff, files.Dump())
		}
		quick, all = quick+some, all+each
	}
	t.Logf("%d instead of %d builds", quick, all)
	if quick*10 > all*9 {
		t.Errorf("%d instead of %d builds", quick, all)
	}
}

func textOfUnits(t *testing.T, files filestest.Tree, o overlay.Options) (text []string, builds int) {
	t.Helper()
	before := o.Workers.Counters().Kustomizations
	options := optionsOf(t, files)
	o.Files = options.Overlay.Files
	options.Overlay = o
	units, set, err := Build(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		text = append(text, fmt.Sprint(u.Kind, u.Name, u.Built, u.NotBuilt, u.Problems, u.LeftOut))
		for _, object := range u.Objects {
			data, err := json.Marshal(object.JSON())
			from := ""
			if source := object.Source(); source != nil {
				from = source.Ref()
			}
			text = append(text, fmt.Sprint(u.Name, object.Ref(), object.File, from, string(data), err))
			text = append(text, traces(object, object.Node, nil)...)
		}
	}
	return append(text, fmt.Sprint(set.Problems)), o.Workers.Counters().Kustomizations - before
}

// traces returns where the fields of a node come from.
func traces(o *objects.Object, n *manifest.Node, at manifest.Path) []string {
	text := []string{fmt.Sprint(at, " ", o.Position(at))}
	for _, field := range n.Fields() {
		text = append(text, traces(o, field.Value, at.Join(field.Key.String()))...)
	}
	for i, item := range n.Items() {
		text = append(text, traces(o, item, at.Join(fmt.Sprint(i)))...)
	}
	return text
}

// randomCluster returns applications of Flux with folders most of which are plain, and many of which nearly are.
func randomCluster(r *rand.Rand) filestest.Tree {
	g := clusterGenerator{r, filestest.Tree{}}
	g.files["flux/settings.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {DOMAIN: example.com, COUNT: '3'}\n"
	for i := range 3 + r.IntN(6) {
		dir := fmt.Sprintf("apps/a%d", i)
		spec := "path: " + dir + g.odd(", targetNamespace: shop", "", ", targetNamespace: ops-1", ", targetNamespace: '1'", ", commonMetadata: {labels: {a: b}}",
			", targetNamespace: shop, patches: [{target: {kind: HelmRelease}, patch: '[{op: add, path: /spec/suspend, value: true}]'}]")
		spec += g.one("", "", ", postBuild: {substitute: {NAME: web}}", ", postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}", ", postBuild: {substituteFrom: [{kind: Secret, name: settings}]}")
		g.files[fmt.Sprintf("flux/a%d.yaml", i)] = flux(fmt.Sprintf("a%d", i), spec)
		g.folder(dir)
	}
	return g.files
}

type clusterGenerator struct {
	*rand.Rand
	files filestest.Tree
}

func (g clusterGenerator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g clusterGenerator) odd(usual string, others ...string) string {
	if g.IntN(60) > 0 {
		return usual
	}
	return g.one(others...)
}

func (g clusterGenerator) folder(dir string) {
	var names []string
	for i := range 1 + g.IntN(3) {
		name := fmt.Sprintf("%c.yaml", 'a'+i)
		text := g.odd("", "---\n", "# comment\n", "# comment\n---\n", "--- # x\n", "---\n---\n")
		for n := range 1 + g.IntN(2) {
			if n > 0 {
				text += g.odd("---\n", "--- \n", "---\n# é\n", "---\n---\n")
			}
			text += g.object()
		}
		if g.IntN(30) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		g.files[dir+"/"+name] = text + g.odd("", "---\n", "...\n", "\n\n")
		names = append(names, g.odd("", "./", "../"+dir[len("apps/"):]+"/")+name)
	}
	text := "resources: [" + strings.Join(names, ", ") + g.odd("", ", b.yaml", ", missing.yaml", ", https://example.com/x.yaml") + "]\n"
	text += g.odd("", "namespace: own\n", "namePrefix: x-\n", "commonLabels: {a: b}\n", "Namespace: own\n", "configMapGenerator: [{name: made, literals: [a=b]}]\n",
		"generatorOptions: {disableNameSuffixHash: true}\n", "nothing: true\n")
	text = g.odd("", "apiVersion: kustomize.config.k8s.io/v1beta1\n", "apiVersion: kustomize.config.k8s.io/v1alpha1\n") + g.odd("", "kind: Kustomization\n", "kind: Component\n") + text
	if g.IntN(8) > 0 {
		g.files[dir+"/"+g.odd("kustomization.yaml", "kustomization.yml", "Kustomization")] = text
	}
	if g.IntN(60) == 0 {
		g.files[dir+"/Kustomization"] = text
	}
}

func (g clusterGenerator) name() string {
	return g.odd(fmt.Sprintf("%s-%d", g.one("web", "queue", "app"), g.IntN(30)), "web", "'${NAME}'", "default", "'1'")
}

// metadata has a name, and often a namespace, labels, or annotations.
func (g clusterGenerator) metadata() string {
	text := "metadata:\n  name: " + g.name() + "\n" + g.odd("", "  namespace: shop\n", "  namespace: ''\n", "  namespace: default\n", "  namespace: null\n")
	text += g.odd("", "  labels: {app: web}\n", "  labels: {}\n", "  labels: {app: 1}\n", "  labels:\n", "  labels: {app: yes}\n")
	return text + g.odd("", "  annotations: {a: b}\n", "  annotations: {}\n", "  annotations: {a: true}\n", "  annotations: {config.kubernetes.io/local-config: 'true'}\n",
		"  annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}\n", "  annotations: {config.kubernetes.io/origin: x}\n", "  annotations: {internal.config.kubernetes.io/index: '1'}\n",
		"  annotations:\n    kustomize.config.k8s.io/behavior: merge\n")
}

func (g clusterGenerator) object() string {
	switch g.IntN(9) {
	case 0:
		return "apiVersion: v1\nkind: ServiceAccount\n" + g.metadata() + g.odd("", "automountServiceAccountToken: false\n", "secrets: [{name: web}]\n", "imagePullSecrets: [{name: web}]\n")
	case 1:
		kind := g.one("RoleBinding", "ClusterRoleBinding")
		return "apiVersion: rbac.authorization.k8s.io/" + g.odd("v1", "v1beta1") + "\nkind: " + kind + "\n" + g.metadata() +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + g.one("Role", "ClusterRole") + ", name: " + g.one("view", "web", "'${NAME}'") + "}\nsubjects: [" + g.subject() + g.odd("", ", "+g.subject()) + "]\n"
	case 2:
		return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: " + g.one("OCIRepository", "HelmRepository", "GitRepository", "OCIRepositoryList") + "\n" + g.metadata() + "spec:\n  interval: 1h\n  url: oci://example.com/web\n"
	case 3:
		return g.odd("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"+g.metadata()+"spec: {suspend: false, serviceAccountName: '${NAME}'}\n",
			"apiVersion: v1\nkind: ConfigMap\n"+g.metadata()+"data: {a: b}\n", "apiVersion: v1\nkind: Secret\n"+g.metadata(), "apiVersion: v1\nkind: Namespace\n"+g.metadata(),
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n"+g.metadata(), "kind: HelmRelease\n"+g.metadata(), "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n",
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ServiceAccount\n  metadata: {name: listed}\n", "apiVersion: example.com/v1\nkind: Thing\n"+g.metadata())
	}
	text := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n" + g.metadata() + "spec:\n  chartRef: {kind: OCIRepository, name: " + g.name() + "}\n  values:\n"
	for i := range g.IntN(6) {
		text += fmt.Sprintf("    f%d: %s\n", i, g.scalar())
	}
	return text + g.odd("", "    f0: twice\n", "    <<: {a: b}\n", "    k: &x {a: b}\n    l: *x\n", "    ? [a]\n    : b\n", "    1: a\n", "    yes: a\n")
}

func (g clusterGenerator) subject() string {
	return "{kind: " + g.odd("ServiceAccount", "User", "Group") + ", name: " + g.name() + g.odd(", namespace: shop", "", ", namespace: ops-1", ", namespace: other") + g.odd("", ", apiGroup: ''") + "}"
}

// scalar returns values that are written in many ways.
func (g clusterGenerator) scalar() string {
	return g.one("text", "'quoted'", `"double"`, "1", "-3", "true", "false", "app.${DOMAIN}", "${COUNT}", "${OPEN}", "[a, b]", "{a: 1, b: [c]}", "|\n      some\n      lines", "two words",
		g.odd("web", "1.5", "0644", "0x1f", "1e3", "yes", "Off", "~", "null", "''", "2001-01-01", "!!str 1", "!x a", ">\n      folded\n      lines", "|+\n      kept\n\n", "|-\n      a\n\n      b", `"\u00e9\n"`, "é", "' a '",
			"|\n      a\n      ---\n      b", "1_000", "0o17", ".inf", "12:30", "123456789012345678901", "{}", "[]", "a # comment", "True", "NULL", "'a\n      b'", "long "+strings.Repeat("word ", 40)+"end"))
}

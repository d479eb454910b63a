package session

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestRulesSeeWhatIsBuilt -built.runs 2000 -built.seed 1000
var (
	builtRuns = flag.Int64("built.runs", 12, "how many random repositories are linted")
	builtSeed = flag.Int64("built.seed", 0, "the first seed")
)

// dump reports each object as rules see it.
const dump = `# METADATA
# title: An object
# description: The object as rules see it.
# custom:
#   severity: warning
#   kinds: [ClusterExtension.olm.operatorframework.io, ServiceAccount, Deployment.apps, ConfigMap, ClusterRole.rbac.authorization.k8s.io]
#   fix: none
#   examples:
#     - bad: |
#         apiVersion: v1
#         kind: ServiceAccount
#         metadata: {name: web}
#     - good: |
#         apiVersion: v1
#         kind: Namespace
#         metadata: {name: web}
package salint.rules.custom.dump

import data.salint.lib

report contains lib.finding(["metadata"], json.marshal(input.resource))
`

// TestRulesSeeWhatIsBuilt lints random overlays that change labels, annotations, images, and replicas, and that generate objects. With a
// rule of a user that reports whole objects, the objects are those of kustomize. With salint's own rules, the findings are those in
// a repository that has the output of kustomize in the place of the overlay.
func TestRulesSeeWhatIsBuilt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "dump.rego"), []byte(dump), 0o600); err != nil {
		t.Fatal(err)
	}
	objects, findings := 0, 0
	for seed := *builtSeed; seed < *builtSeed+*builtRuns*int64(long.Runs(1, 10)); seed++ {
		g := metadataOverlay{rand.New(rand.NewSource(seed))}
		files := g.files()
		written, want := kustomizeBuild(t, files, "overlay")
		if diff := cmp.Diff(want, dumped(t, files, folder)); diff != "" {
			t.Fatalf("seed %d: a rule of a user sees other objects (-kustomize +salint):\n%s\n%s", seed, diff, tree(files).Dump())
		}
		ofOutput := foundOf(t, map[string]string{"overlay/kustomization.yaml": "resources: [built.yaml]\n", "overlay/built.yaml": written})
		found := foundOf(t, files)
		if diff := cmp.Diff(ofOutput, found); diff != "" {
			t.Fatalf("seed %d: other findings than in the output of kustomize (-kustomize +salint):\n%s\n%s", seed, diff, tree(files).Dump())
		}
		objects, findings = objects+len(want), findings+len(found)
	}
	t.Logf("%d objects, %d findings", objects, findings)
	if runs := int(*builtRuns); objects < 2*runs || findings < runs {
		t.Error("the repositories are not worth much")
	}
}

// kustomizeBuild returns the output of kustomize for a folder, and the objects that the rule dump reports.
func kustomizeBuild(t *testing.T, files map[string]string, folder string) (text string, objects []string) {
	t.Helper()
	disk := filesys.MakeFsInMemory()
	for name, content := range files {
		if err := disk.WriteFile("/"+name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, "/"+folder)
	if err != nil {
		t.Fatalf("%v\n%s", err, tree(files).Dump())
	}
	yaml, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range built.Resources() {
		if r.GetKind() == "Secret" {
			continue
		}
		data, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, normalJSON(t, string(data)))
	}
	slices.Sort(objects)
	return string(yaml), objects
}

func normalJSON(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	data, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// dumped returns the objects that the rule dump sees.
func dumped(t *testing.T, files map[string]string, policy string) []string {
	t.Helper()
	out, session := lintFiles(t, files, Options{
		Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, ""}, Target: "olm-1.11",
		Policies: []string{policy}, Only: []string{"custom/dump"},
	})
	defer session.Close()
	var objects []string
	for _, f := range out.Findings {
		if f.Rule == "custom/dump" {
			objects = append(objects, normalJSON(t, f.Message))
		}
	}
	slices.Sort(objects)
	return objects
}

// foundOf returns the findings of salint's own rules about objects, without their places.
func foundOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	out, session := lintFiles(t, files, Options{Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, ""}, Target: "olm-1.10"})
	defer session.Close()
	var found []string
	for _, f := range out.Findings {
		if f.Severity > finding.Note {
			found = append(found, fmt.Sprintf("%s %s: %v", f.Rule, f.Severity, f.Resource)) // messages explain what an overlay renames
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// metadataOverlay writes a base and an overlay of it, with fields that change or generate objects in other ways than patches.
type metadataOverlay struct{ *rand.Rand }

func (g metadataOverlay) one(of ...string) string { return of[g.Intn(len(of))] }

func (g metadataOverlay) files() map[string]string {
	objects := []string{
		"apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: harbor\nspec:\n  namespace: shop\n  serviceAccount: {name: web}\n" +
			"  source: {sourceType: Catalog, catalog: {packageName: harbor, version: 1.2.3}}\n",
		"apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\nsecrets: [{name: missing}]\n",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules:\n- {apiGroups: [''], resources: [secrets], verbs: ['*']}\n- {apiGroups: [rbac.authorization.k8s.io], resources: [roles], verbs: [bind]}\n",
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" +
			"    spec: {serviceAccountName: " + g.one("web", "other") + ", imagePullSecrets: [{name: pull}], containers: [{name: web, image: 'example.com/web:1', args: [--authorization-mode=AlwaysAllow]}]}\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: shop}\ntype: Opaque\n",
	}
	var chosen []string
	for _, object := range objects {
		if g.Intn(3) > 0 {
			chosen = append(chosen, object)
		}
	}
	if len(chosen) == 0 {
		chosen = objects[:1]
	}
	files := map[string]string{
		"base/objects.yaml":          strings.Join(chosen, "---\n"),
		"base/kustomization.yaml":    "resources: [objects.yaml]\n" + g.field(),
		"overlay/settings.txt":       "mode=fast\n",
		"overlay/kustomization.yaml": "resources: [../base]\n" + g.field(),
	}
	if g.Intn(2) == 0 {
		files["overlay/kustomization.yaml"] += g.generator()
	}
	return files
}

// field returns a field that changes labels, annotations, images, or replicas; each at most once in a file.
func (g metadataOverlay) field() string {
	fields := []string{
		"commonLabels: {team: ops}\n",
		"labels:\n- pairs: {" + g.one("team: registry", "rbac.authorization.k8s.io/aggregate-to-view: 'true'", "app.kubernetes.io/managed-by: salint") + "}\n  includeSelectors: " + g.one("true", "false") + "\n",
		"commonAnnotations: {" + g.one("team: ops", "argocd.argoproj.io/sync-options: 'Force=true,Replace=true'", "argocd.argoproj.io/sync-wave: '-5'",
			"kubernetes.io/enforce-mountable-secrets: 'true'", "kubernetes.io/service-account.name: web") + "}\n",
		"images:\n- {name: example.com/web, newName: " + g.one("registry.k8s.io/kube-apiserver", "quay.io/operator-framework/operator-controller", "example.com/shop") + ", newTag: v1.4.0}\n",
		"replicas: [{name: web, count: 3}]\n",
		"buildMetadata: [" + g.one("managedByLabel", "originAnnotations", "managedByLabel, originAnnotations") + "]\n",
		"namePrefix: " + g.one("a-", "b-") + "\n",
		"namespace: shop\n",
	}
	text := ""
	for _, n := range g.Perm(len(fields))[:g.Intn(3)] {
		if !strings.HasPrefix(fields[n], "replicas") { // kustomize refuses it where there is nothing to scale
			text += fields[n]
		}
	}
	return text
}

func (g metadataOverlay) generator() string {
	return g.one(
		"configMapGenerator:\n- {name: settings, literals: [mode=fast]}\n",
		"configMapGenerator:\n- {name: settings, envs: [settings.txt], options: {disableNameSuffixHash: true, labels: {team: ops}}}\n",
		"configMapGenerator:\n- {name: aws-auth, namespace: kube-system, literals: ['mapUsers=[]'], options: {disableNameSuffixHash: true}}\n",
		"secretGenerator:\n- {name: pull, namespace: shop, literals: [a=b]}\n",
		"secretGenerator:\n- {name: token-2, namespace: shop, type: kubernetes.io/service-account-token, literals: [a=b], options: {disableNameSuffixHash: true, annotations: {kubernetes.io/service-account.name: web}}}\n",
	)
}

package session

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestDeferredUnitsHideNothing -defer.runs 2000 -defer.seed 1000
var (
	deferRuns = flag.Int64("defer.runs", 3, "how many random repositories are linted")
	deferSeed = flag.Int64("defer.seed", 0, "the first seed")
)

// TestDeferredUnitsHideNothing lints random repositories and single files of them, with deferred units and with all units built at
// once: the findings, the notes and the target are the same.
func TestDeferredUnitsHideNothing(t *testing.T) {
	t.Parallel()
	var count deferCount
	runs := *deferRuns * int64(long.Runs(1, 10))
	for seed := *deferSeed; seed < *deferSeed+runs; seed++ {
		r := rand.New(rand.NewSource(seed))
		files := newDeferRepo(r)
		for _, target := range []string{"olm-1.11", "auto"} {
			count.compare(t, fmt.Sprintf("seed %d, target %s", seed, target), files, target, somePaths(r, files, 4))
		}
	}
	count.check(t, int(runs))
}

// TestDeferredUnitsOfGoldenCases does the same with the repositories of the golden cases about overlays and rules.
func TestDeferredUnitsOfGoldenCases(t *testing.T) {
	t.Parallel()
	var count deferCount
	cases := 0
	for _, group := range []string{"overlays", "rules", "silence", "targets", "consumers", "generators", "embedded"} {
		archives, err := filepath.Glob("../../../fixtures/" + group + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for i, archive := range archives {
			files := filesOfCase(t, archive)
			if i%long.Runs(5, 1) != 0 || !hasKustomization(files) {
				continue
			}
			r := rand.New(rand.NewSource(int64(i)))
			count.compare(t, archive, files, "auto", somePaths(r, files, 1))
			cases++
		}
	}
	if cases == 0 || count.findings == 0 {
		t.Fatalf("%d golden cases with %d findings: the test compares nothing", cases, count.findings)
	}
}

func hasKustomization(files map[string]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(files)), objects.IsKustomizationFile)
}

// filesOfCase returns the repository of a golden case.
func filesOfCase(t *testing.T, archive string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	files, name := map[string]string{}, ""
	for line := range strings.Lines(string(data)) {
		if rest, begins := strings.CutPrefix(line, "-- "); begins && strings.HasSuffix(line, " --\n") {
			name, begins = strings.CutPrefix(strings.TrimSuffix(rest, " --\n"), "in/")
			if !begins || !fs.ValidPath(name) {
				name = ""
			}
			continue
		}
		if name != "" {
			files[name] += line
		}
	}
	return files
}

// somePaths returns nil for the whole repository, and some files.
func somePaths(r *rand.Rand, files map[string]string, n int) []string {
	names := slices.Sorted(maps.Keys(files))
	paths := []string{""}
	for range min(n, len(names)) {
		paths = append(paths, names[r.Intn(len(names))])
	}
	return paths
}

// deferCount counts what the comparisons are worth.
type deferCount struct{ deferred, pending, findings int }

func (c *deferCount) check(t *testing.T, runs int) {
	t.Helper()
	t.Logf("%d units were deferred, %d of them never built; %d findings", c.deferred, c.pending, c.findings)
	if c.deferred < runs || c.pending < runs || c.pending == c.deferred || c.findings < runs {
		t.Error("the repositories are not worth much")
	}
}

// compare lints files with the paths, in both ways.
func (c *deferCount) compare(t *testing.T, name string, files map[string]string, target string, paths []string) {
	t.Helper()
	for _, path := range paths {
		lazy, session := lintDeferred(t, files, target, path, false)
		eager, _ := lintDeferred(t, files, target, path, true)
		if diff := cmp.Diff(textOfOutcome(t, eager), textOfOutcome(t, lazy)); diff != "" {
			t.Fatalf("%s, path %q: deferring units changes the outcome (-all built +deferred):\n%s\n%s", name, path, diff, tree(files).Dump())
		}
		for _, u := range session.snapshot.Written {
			if u.Deferred() {
				c.deferred++
			}
			if u.Pending() {
				c.pending++
			}
		}
		c.findings += len(lazy.Findings)
	}
}

func lintDeferred(t *testing.T, files map[string]string, target, path string, eager bool) (*Outcome, *Session) {
	t.Helper()
	return lintFiles(t, files, Options{Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, path}, Target: target, eager: eager})
}

// lintFiles lints files that the options contain as a tree.
func lintFiles(t *testing.T, files map[string]string, options Options) (*Outcome, *Session) {
	t.Helper()
	options.PolicyCache, options.Config, options.Now = policies, settings.Default(), time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	session, err := NewSession(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	out, err := session.Run(t.Context())
	if err != nil {
		t.Fatalf("%v\n%s", err, tree(files).Dump())
	}
	return out, session
}

func textOfOutcome(t *testing.T, out *Outcome) string {
	t.Helper()
	text, err := json.MarshalIndent(map[string]any{
		"findings": out.Findings, "notes": out.Notes, "target": out.Target, "summary": out.Summary, "faults": fmt.Sprint(out.Faults, out.Incomplete),
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pathTree is a repository in memory of which one file is selected, or with "" all.
type pathTree struct {
	loadertest.Repository
	files map[string]string
	path  string
}

func (t pathTree) Selected(name string) bool { return t.path == "" || t.path == name }
func (t pathTree) Files() render.Files       { return filesOf(t.files) }
func (t pathTree) Remotes() []string         { return []string{"https://git.example.com/fleet"} }
func (t pathTree) Branches() []string        { return nil }

// deferRepo is a random repository of bases and overlays, many of them without an object that rules judge.
type deferRepo struct {
	*rand.Rand
	files map[string]string
}

func newDeferRepo(r *rand.Rand) map[string]string {
	g := deferRepo{r, map[string]string{}}
	bases := 2 + g.Intn(3)
	for i := range bases {
		g.base(fmt.Sprintf("bases/b%d", i))
	}
	if g.Intn(2) == 0 {
		g.files["components/c/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + g.patch()
	}
	for i := range 3 + g.Intn(4) {
		g.overlay(fmt.Sprintf("overlays/o%d", i), bases)
	}
	for i := range g.Intn(3) {
		g.files[fmt.Sprintf("plain/p%d.yaml", i)] = g.document()
	}
	return g.files
}

func (g deferRepo) one(of ...string) string { return of[g.Intn(len(of))] }

func (g deferRepo) name() string { return g.one("web", "queue", "web-runner", "ops-web", "db") }

func (g deferRepo) namespace() string {
	return g.one("", ", namespace: shop", ", namespace: ops", ", namespace: '${NS}'")
}

func (g deferRepo) document() string {
	name, namespace := g.name(), g.namespace()
	switch g.Intn(13) {
	case 0, 1, 2:
		return "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: " + name + namespace + "}\nspec: {name: " + name + ", channel: stable}\n"
	case 3:
		return "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + name + namespace + "}\n"
	case 4:
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + namespace + "}\nspec:\n  template:\n    spec:\n      serviceAccountName: " + g.name() + "\n      containers: [{name: a, image: b}]\n"
	case 5:
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: " + name + namespace + "}\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + g.one("Role", "ClusterRole") + ", name: " + g.name() + "}\n" +
			"subjects: [{kind: ServiceAccount, name: " + g.name() + g.namespace() + "}]\n"
	case 6:
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: " + name + "}\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + g.one("cluster-admin", g.name()) + "}\n" +
			"subjects: [{kind: ServiceAccount, name: " + g.name() + ", namespace: shop}]\n"
	case 7:
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: " + g.one("Role", "ClusterRole") + "\nmetadata: {name: " + name + "}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n"
	case 8:
		return "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/service-account-token\nmetadata: {name: " + name + namespace + ", annotations: {kubernetes.io/service-account.name: " + g.name() + "}}\n"
	case 9:
		return "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: " + name + namespace + "}\nspec: {}\n"
	case 10:
		return "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: " + name + "}\nspec:\n  namespace: shop\n  serviceAccount: {name: " + g.name() + "}\n  source: {sourceType: Catalog, catalog: {packageName: a}}\n"
	case 11:
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name + namespace + "}\nspec: {template: {spec: {containers: [{name: a, image: 'quay.io/operator-framework/operator-controller:v1.2.0'}]}}}\n"
	}
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + namespace + "}\ndata: {a: b}\n"
}

func (g deferRepo) base(dir string) {
	docs := []string{g.document()}
	for range g.Intn(3) {
		docs = append(docs, g.document())
	}
	g.files[dir+"/objects.yaml"] = strings.Join(docs, "---\n")
	g.files[dir+"/kustomization.yaml"] = "resources: [objects.yaml]\n" + g.one("", "", "namespace: shop\n", g.patch())
}

func (g deferRepo) overlay(dir string, bases int) {
	text := "resources:\n"
	for i := range bases {
		if g.Intn(bases) == 0 {
			text += fmt.Sprintf("- ../../bases/b%d\n", i)
		}
	}
	if text == "resources:\n" || g.Intn(5) == 0 {
		g.files[dir+"/own.yaml"] = g.document()
		text += "- own.yaml\n"
	}
	text += g.one("", "namespace: shop\n", "namespace: ops\n") + g.one("", "", "namePrefix: ops-\n", "nameSuffix: -runner\n")
	if g.files["components/c/kustomization.yaml"] != "" && g.Intn(3) == 0 {
		text += "components: [../../components/c]\n"
	}
	if g.Intn(2) == 0 {
		text += g.patch()
	}
	if g.Intn(6) == 0 {
		text += g.one("configMapGenerator: [{name: made, literals: [a=b]}]\n", "secretGenerator: [{name: web, type: kubernetes.io/service-account-token, literals: [a=b]}]\n")
	}
	g.files[dir+"/kustomization.yaml"] = text
}

// patch returns patches that change names, namespaces, or fields, and of which some have no effect or remove objects.
func (g deferRepo) patch() string {
	kind, name := g.one("Subscription", "Deployment", "ServiceAccount", "RayCluster"), g.name()
	target := "patches:\n- target: {kind: " + kind + "}\n  patch: |-\n"
	switch g.Intn(8) {
	case 0:
		return target + "    - {op: replace, path: /metadata/name, value: " + name + "}\n"
	case 1:
		return target + "    - {op: add, path: /metadata/namespace, value: shop}\n"
	case 2:
		return target + "    - {op: remove, path: /metadata/namespace}\n"
	case 3:
		return target + "    - {op: add, path: /metadata/annotations, value: {salint.dev/ignore: pod/service-account-not-found}}\n"
	case 4:
		return target + "    kind: " + kind + "\n    apiVersion: " + map[string]string{
			"Subscription": "operators.coreos.com/v1alpha1", "Deployment": "apps/v1", "ServiceAccount": "v1", "RayCluster": "ray.io/v1",
		}[kind] + "\n    metadata: {name: x}\n    $patch: delete\n"
	case 5:
		return target + "    - {op: add, path: /spec, value: {channel: fast}}\n"
	case 6:
		return "patches:\n- target: {name: " + name + "}\n  patch: |-\n    - {op: add, path: /spec/template/spec/serviceAccountName, value: " + g.name() + "}\n"
	}
	return "replacements:\n- source: {kind: Subscription, fieldPath: spec.channel}\n  targets: [{select: {kind: ServiceAccount}, fieldPaths: [metadata.name]}]\n"
}

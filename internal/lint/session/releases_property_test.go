package session

import (
	"flag"
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/test/long"
)

// A longer run: go test ./internal/lint/session -run TestFoldersOfReleasesHideNothing -releases.runs 2000 -releases.seed 1000
var (
	releaseRuns = flag.Int64("releases.runs", 2, "how many random clusters are linted")
	releaseSeed = flag.Int64("releases.seed", 0, "the first seed")
)

// TestFoldersOfReleasesHideNothing lints random clusters of Flux and Argo CD, and single files of them: in the usual way, with no deferred
// unit of an application, and with all deferred units built in the end. The findings, the notes, and the target are the same.
func TestFoldersOfReleasesHideNothing(t *testing.T) {
	t.Parallel()
	var count releaseCount
	for seed := *releaseSeed; seed < *releaseSeed+*releaseRuns*int64(long.Runs(1, 5)); seed++ {
		r := rand.New(rand.NewSource(seed))
		files := newReleaseRepo(r)
		target := []string{"olm-1.11", "olm-1.11", "olm-1.11", "auto"}[r.Intn(4)]
		for _, path := range somePaths(r, files, 4) {
			count.compare(t, fmt.Sprintf("seed %d, target %s, path %q", seed, target, path), files, target, path)
		}
	}
	t.Logf("%d units of applications were deferred, %d of them never built; %d instead of %d builds; %d findings", count.deferred, count.pending, count.usual, count.all, count.findings)
	if count.usual >= count.all || count.findings < int(*releaseRuns) || count.pending == 0 || count.pending == count.deferred {
		t.Error("the clusters are not worth much")
	}
}

// releaseCount counts what the comparisons are worth.
type releaseCount struct{ usual, all, deferred, pending, findings int }

func (c *releaseCount) compare(t *testing.T, name string, files map[string]string, target, path string) {
	t.Helper()
	options := Options{Tree: pathTree{loadertest.Repository{Tree: tree(files)}, files, path}, Target: target}
	out, session := lintFiles(t, files, options)
	got := textOfOutcome(t, out)
	c.usual, c.findings = c.usual+session.workers.Counters().Kustomizations, c.findings+len(out.Findings)
	for _, u := range session.snapshot.Written {
		if u.Kind == objects.ApplicationUnit && u.Deferred() {
			c.deferred++
			if u.Pending() {
				c.pending++
			}
		}
	}
	atOnce, atEnd := options, options
	atOnce.applicationsAtOnce, atEnd.eager = true, true
	out, session = lintFiles(t, files, atOnce)
	c.all += session.workers.Counters().Kustomizations
	if want := textOfOutcome(t, out); want != got {
		t.Fatalf("%s (-all at once +usual):\n%s\n%s", name, cmp.Diff(want, got), tree(files).Dump())
	}
	out, _ = lintFiles(t, files, atEnd)
	if want := textOfOutcome(t, out); want != got {
		t.Fatalf("%s (-all in the end +usual):\n%s\n%s", name, cmp.Diff(want, got), tree(files).Dump())
	}
}

// releaseRepo is a random repository of applications of Flux and Argo CD, most of them with the release of a chart, on one or two clusters.
type releaseRepo struct{ deferRepo }

func newReleaseRepo(r *rand.Rand) map[string]string {
	g := releaseRepo{deferRepo{r, map[string]string{}}}
	for c := range 1 + g.Intn(2) {
		cluster := fmt.Sprintf("clusters/c%d", c)
		g.files[cluster+"/settings.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {NS: " + g.one("shop", "ops") + ", DOMAIN: example.com}\n"
		g.files[cluster+"/root.yaml"] = g.flux("root", cluster+"/apps", g.one("", "", ", targetNamespace: flux-system", ", patches: [{target: {kind: Kustomization}, patch: '[{op: add, path: /spec/targetNamespace, value: shop}]'}]",
			", patches: [{target: {kind: Kustomization}, patch: '[{op: add, path: /spec/postBuild, value: {substituteFrom: [{kind: "+g.one("Secret", "ConfigMap")+", name: settings}]}}]'}]"))
		for i := range 2 + g.Intn(4) {
			name := fmt.Sprintf("a%d", i)
			dir := cluster + "/apps/" + name
			g.files[dir+"/flux.yaml"] = g.flux(name, dir+"/app", g.one(", targetNamespace: shop", ", targetNamespace: shop", ", targetNamespace: shop", ", targetNamespace: shop", ", targetNamespace: ops", "", ", serviceAccountName: "+g.name(),
				", kubeConfig: {secretRef: {name: other}}, targetNamespace: shop", ", suspend: true, targetNamespace: shop", ", targetNamespace: '${NS}'"))
			if g.Intn(8) == 0 {
				g.files[dir+"/flux.yaml"] = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: " + name + "}\n" +
					"spec: {destination: {namespace: shop}, source: {repoURL: 'https://git.example.com/fleet', path: " + dir + "/app}}\n"
			}
			if g.Intn(3) > 0 {
				g.files[dir+"/kustomization.yaml"] = "resources: [flux.yaml]\n"
			}
			g.app(dir + "/app")
		}
	}
	g.files["charts/web/Chart.yaml"] = "apiVersion: v2\nname: web\nversion: 1.0.0\n"
	g.files["charts/web/templates/all.yaml"] = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: '{{ .Values.name }}'}\n---\n" +
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {serviceAccountName: '{{ .Values.account }}', containers: [{name: a, image: b}]}}}\n"
	g.files["charts/web/values.yaml"] = "name: web\naccount: web\n"
	if g.Intn(2) == 0 {
		g.files["plain/p.yaml"] = g.document()
	}
	return g.files
}

// flux returns an application, with what is substituted in its objects.
func (g releaseRepo) flux(name, dir, more string) string {
	more += g.one("", "", "", "", "", "", "", ", postBuild: {substitute: {NS: shop}}", ", postBuild: {substitute: {DOMAIN: example.com}}", ", postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}", ", postBuild: {substituteFrom: [{kind: Secret, name: settings}]}")
	more += g.one("", "", "", ", dependsOn: [{name: a0}]")
	return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name + ", namespace: flux-system}\n" +
		"spec: {sourceRef: {kind: GitRepository, name: flux-system}, path: " + dir + more + "}\n"
}

// app writes a folder, in most cases with a release.
func (g releaseRepo) app(dir string) {
	resources := "[release.yaml"
	g.files[dir+"/release.yaml"] = g.release()
	if g.Intn(5) == 0 {
		resources += ", account.yaml"
		name := g.name()
		g.files[dir+"/account.yaml"] = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: " + name + "\n---\n" +
			"apiVersion: rbac.authorization.k8s.io/v1\nkind: " + g.one("RoleBinding", "ClusterRoleBinding") + "\nmetadata:\n  name: " + name + "\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: " + g.one("cluster-admin", "view", g.name()) + "}\n" +
			"subjects:\n- {kind: ServiceAccount, name: " + g.one(name, g.name()) + ", namespace: " + g.one("shop", "shop", "ops") + "}\n"
	}
	if g.Intn(5) == 0 {
		resources += ", own.yaml"
		g.files[dir+"/own.yaml"] = g.document()
		if g.Intn(4) == 0 {
			g.files[dir+"/own.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings" + g.one("", ", namespace: flux-system") + "}\ndata: {NS: ops, DOMAIN: example.org}\n"
		}
	}
	text := "resources: " + resources + "]\n" + g.one("", "", "", "", "", "", "", "namespace: ops\n", "namePrefix: ops-\n", g.patch(), g.releasePatch(), g.releasePatch())
	if g.Intn(6) > 0 {
		g.files[dir+"/kustomization.yaml"] = text
	}
}

// releasePatch returns a patch of a release, as clusters have it for all of them.
func (g releaseRepo) releasePatch() string {
	return "patches:\n- target: {kind: HelmRelease}\n  patch: |-\n    apiVersion: helm.toolkit.fluxcd.io/v2\n    kind: HelmRelease\n    metadata: {name: x}\n    spec: " +
		g.one("{upgrade: {cleanupOnFail: true}}", "{upgrade: {cleanupOnFail: true}}", "{upgrade: {force: true}}", "{serviceAccountName: "+g.name()+"}", "{targetNamespace: shop}", "{suspend: true}",
			"{dependsOn: [{name: web}]}", "{chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}, chartRef: null}",
			"{values: {extraObjects: [{apiVersion: v1, kind: ServiceAccount, metadata: {name: "+g.name()+"}}]}}") + "\n"
}

func (g releaseRepo) release() string {
	text := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: " + g.one(g.name(), g.name(), g.name(), "cert-operator") + g.one("\n", "\n", "\n  namespace: shop\n") + "spec:\n  interval: 1h\n"
	text += g.one("  chartRef: {kind: OCIRepository, name: web}\n", "  chartRef: {kind: OCIRepository, name: web}\n",
		"  chartRef: {kind: OCIRepository, name: web}\n", "  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: web, namespace: flux-system}}}\n",
		"  chart: {spec: {chart: charts/web, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}\n")
	text += g.one("", "", "", "  targetNamespace: ops\n", "  serviceAccountName: "+g.name()+"\n", "  kubeConfig: {secretRef: {name: other}}\n", "  suspend: true\n", "  dependsOn: [{name: web}]\n",
		"  valuesFrom: [{kind: ConfigMap, name: settings}]\n", "  upgrade: {force: true}\n")
	text += "  values:\n    name: " + g.name() + "\n    account: " + g.name() + "\n" + g.one("", "", "    host: web.${DOMAIN}\n")
	text += g.one("", "", "", "    extraObjects: [{apiVersion: v1, kind: ServiceAccount, metadata: {name: "+g.name()+"}}]\n")
	if g.Intn(3) == 0 {
		text += "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: " + g.one("OCIRepository", "HelmRepository") + "\nmetadata:\n  name: web\nspec:\n  url: oci://example.com/" + g.one("charts", "charts", "charts", "charts", "charts", "charts", "charts", "operators") + "/web\n"
	}
	return text
}

package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/assemble/loader/loadertest"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/filestest"
)

// tree is a repository in memory.
type tree = filestest.Tree

func lintTree(t *testing.T, files tree, target string, disable ...string) *Outcome {
	t.Helper()
	out, err := Run(context.Background(), Options{
		PolicyCache: policies, Tree: loadertest.Repository{Tree: files}, Config: settings.Default(), Target: target, Disable: disable, Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// application returns a workload with its own account, role and binding, as most of a repository is.
func application(i int) string {
	return fmt.Sprintf(`apiVersion: v1
kind: ServiceAccount
metadata: {name: app-%[1]d, namespace: apps}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: app-%[1]d, namespace: apps}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: app-%[1]d, namespace: apps}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: app-%[1]d}
subjects: [{kind: ServiceAccount, name: app-%[1]d, namespace: apps}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app-%[1]d, namespace: apps}
spec: {template: {spec: {serviceAccountName: app-%[1]d}}}
`, i)
}

const extension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: cache}
spec:
  namespace: cache
  serviceAccount: {name: cache-account}
  source: {sourceType: Catalog, catalog: {packageName: cache-operator}}
`

const account = `apiVersion: v1
kind: ServiceAccount
metadata: {name: cache-account, namespace: cache}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: cache-account}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cache-account}
subjects: [{kind: ServiceAccount, name: cache-account, namespace: cache}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: cache-account}
rules: [{apiGroups: [apps], resources: [deployments], verbs: [create]}]
`

// TestWork counts the documents that are parsed: none in a repository without extensions, and otherwise only those that names
// connect with an extension, however many others there are.
func TestWork(t *testing.T) {
	t.Parallel()
	files := tree{}
	for i := range 200 {
		files[fmt.Sprintf("apps/%d.yaml", i)] = application(i)
	}
	others := []string{"pod/*", "token/*", "rbac/*"} // they judge what is beside extensions
	if out := lintTree(t, files, "olm-1.11", others...); out.Parsed != 0 || out.Evaluations != 0 {
		t.Errorf("without an extension: %d documents parsed, %d policies evaluated", out.Parsed, out.Evaluations)
	}
	files["cache/extension.yaml"], files["cache/rbac.yaml"] = extension, account
	out := lintTree(t, files, "olm-1.11", others...)
	if out.Parsed != 4 {
		t.Errorf("%d documents parsed, want the extension, its account, the binding and the role", out.Parsed)
	}
	if out.Evaluations > 20 {
		t.Errorf("%d policies evaluated on one extension and its account", out.Evaluations)
	}
	if len(out.Findings) != 1 || out.Findings[0].Rule != "olm/service-account-deprecated" {
		t.Errorf("findings: %v", out.Findings)
	}
}

// TestWorkOnAccounts counts the same for the rules about pods and RBAC. References to accounts and roles that exist are not parsed.
// If an account is missing, the references to it and all accounts are parsed; if a role is missing, all roles; but no release
// of a chart, because all of them install into another namespace.
func TestWorkOnAccounts(t *testing.T) {
	t.Parallel()
	without := func(kind string) string {
		docs := strings.Split(application(7), "---\n")
		return strings.Join(slices.DeleteFunc(docs, func(doc string) bool { return strings.Contains(doc, "kind: "+kind+"\n") }), "---\n")
	}
	for name, c := range map[string]struct {
		seven                         string
		parsed, evaluations, findings int
	}{
		"all is there":          {application(7), 0, 0, 0},
		"an account is missing": {without("ServiceAccount"), 2 + 199, 2, 2},
		"a role is missing":     {without("Role"), 1 + 199, 1, 1},
	} {
		files := tree{}
		for i := range 200 {
			files[fmt.Sprintf("apps/%d.yaml", i)] = application(i)
			files[fmt.Sprintf("web/%d.yaml", i)] = plain(i)
		}
		files["apps/7.yaml"] = c.seven
		out := lintTree(t, files, "olm-1.11")
		if out.Parsed != c.parsed || out.Evaluations != c.evaluations || len(out.Findings) != c.findings {
			t.Errorf("%s: %d documents parsed, %d policies evaluated, %d findings", name, out.Parsed, out.Evaluations, len(out.Findings))
		}
	}
}

// plain returns documents that no rule judges: pods without an account, values of a chart, services.
func plain(i int) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web-%[1]d, namespace: web}
spec: {template: {spec: {containers: [{name: main, volumeMounts: [{name: key}]}], volumes: [{name: key, secret: {secretName: key}}]}}}
---
apiVersion: v1
kind: Service
metadata: {name: web-%[1]d, namespace: web}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web-%[1]d, namespace: web}
spec:
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
  values:
    serviceAccount: {create: true}
    service: {kind: Service}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: web}
type: Opaque
`, i)
}

// TestWorkOfOverlays counts what is parsed and built of overlays that change no object which rules judge, at two sizes: nothing. If
// one of them changes a binding, only that one is built.
func TestWorkOfOverlays(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 50} {
		files := map[string]string{}
		for i := range n {
			dir := fmt.Sprintf("catalog/%d", i)
			files[dir+"/base/application.yaml"] = application(i)
			files[dir+"/base/kustomization.yaml"] = "resources: [application.yaml]\n"
			files[dir+"/fast/kustomization.yaml"] = "resources: [../base]\npatches:\n- target: {kind: Subscription}\n  patch: |-\n    - {op: replace, path: /spec/channel, value: fast}\n"
		}
		out, session := lintDeferred(t, files, "olm-1.11", "", false)
		if builds := session.workers.Counters().Kustomizations; out.Parsed != 0 || builds != 0 {
			t.Errorf("%d overlays: %d documents parsed, %d builds", n, out.Parsed, builds)
		}
		files["catalog/3/fast/kustomization.yaml"] += "namePrefix: fast-\n"
		out, session = lintDeferred(t, files, "olm-1.11", "", false)
		if builds := session.workers.Counters().Kustomizations; out.Parsed == 0 || builds != 1 {
			t.Errorf("%d overlays, one with a prefix: %d documents parsed, %d builds", n, out.Parsed, builds)
		}
	}
}

// TestWorkOfReleases counts what is built for one file of a cluster that Flux manages, at two sizes: only the folder of
// the file, also if patches change all releases.
func TestWorkOfReleases(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 50} {
		files := map[string]string{}
		for i := range n {
			name := fmt.Sprintf("app-%02d", i) // none is a part of another one, because a unit with the name in a text is built
			dir := "apps/" + name
			files[dir+"/flux.yaml"] = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name + ", namespace: flux-system}\n" +
				"spec: {path: " + dir + "/app, targetNamespace: " + name + ", sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substitute: {DOMAIN: example.com}}}\n"
			files[dir+"/app/kustomization.yaml"] = "resources: [account.yaml, release.yaml]\n"
			files[dir+"/app/account.yaml"] = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + name + "}\n---\n" +
				"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: " + name + "}\n" +
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: ServiceAccount, name: " + name + ", namespace: " + name + "}]\n"
			files[dir+"/app/release.yaml"] = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: " + name + "}\n" +
				"spec: {chartRef: {kind: OCIRepository, name: " + name + "}, values: {host: '" + name + ".${DOMAIN}'}}\n"
		}
		builds := func() int {
			_, session := lintDeferred(t, files, "olm-1.11", "apps/app-03/app/release.yaml", false)
			return session.workers.Counters().Kustomizations
		}
		if got := builds(); got != 1 {
			t.Errorf("%d applications: %d builds", n, got)
		}
		for i := range n {
			file := fmt.Sprintf("apps/app-%02d/flux.yaml", i)
			files[file] = strings.Replace(files[file], "spec: {", "spec: {patches: [{target: {kind: HelmRelease}, patch: '{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: x}, spec: {suspend: true}}'}], ", 1)
		}
		if got := builds(); got != 1 {
			t.Errorf("%d applications with patches: %d builds", n, got)
		}
	}
}

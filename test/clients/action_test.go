package clients

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A workflow that calls the action as users do. It prints what the steps after it see.
const workflow = `name: lint
on: [push]
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
      - id: release
        uses: ./.github/salint
        with:
          version: 0.1.0
      - id: forged
        continue-on-error: true
        uses: ./.github/salint
        with:
          version: 0.2.0
      - name: report on releases
        env:
          SEEN: release=${{ steps.release.outcome }} forged=${{ steps.forged.outcome }}
        run: |
          echo "releases: $SEEN"
      - id: all
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: |
            clusters/prod east
            apps
          target: olm-1.11
          sarif-file: salint.sarif
      - name: report on all
        env:
          SEEN: >-
            outcome=${{ steps.all.outcome }} findings=${{ steps.all.outputs.findings }}
            errors=${{ steps.all.outputs.errors }} fixable=${{ steps.all.outputs.fixable }}
            sarif=${{ steps.all.outputs.sarif-file }}
        run: |
          echo "all: $SEEN"
          grep -c '"ruleId"' salint.sarif
      - id: changed
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: apps
          target: olm-1.11
          changed-only: true
          fail-on: never
      - name: report on changed
        env:
          SEEN: outcome=${{ steps.changed.outcome }} findings=${{ steps.changed.outputs.findings }}
        run: |
          echo "changed: $SEEN"
      - id: power
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: power
          target: olm-1.11
          permissions: true
      - id: moved
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: moved
          target: olm-1.11
          permissions: true
      - name: report on power
        env:
          SEEN: power=${{ steps.power.outcome }} moved=${{ steps.moved.outcome }}
        run: |
          echo "permissions: $SEEN"
      - id: hostile
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: $(touch owned-by-paths)
          target: '"; touch owned-by-target; "'
      - name: report on hostile
        env:
          SEEN: outcome=${{ steps.hostile.outcome }}
        run: |
          echo "hostile: $SEEN"
          ls owned-by-* || echo 'nothing is owned'
      - id: fix
        uses: ./.github/salint
        with:
          paths: |
            clusters
            apps
          target: olm-1.11
          fix: true
      - name: report on fix
        env:
          SEEN: outcome=${{ steps.fix.outcome }} findings=${{ steps.fix.outputs.findings }}
        run: |
          echo "fix: $SEEN"
          cat 'clusters/prod east/argocd.yaml' apps/*.yaml > fixed.txt
          if grep serviceAccount fixed.txt; then exit 1; fi
      - id: base
        continue-on-error: true
        uses: ./.github/salint
        with:
          paths: base
          target: olm-1.11
          fix: true
      - name: report on base
        env:
          SEEN: outcome=${{ steps.base.outcome }} findings=${{ steps.base.outputs.findings }}
        run: |
          echo "base: $SEEN"
          grep -c serviceAccount base/vault.yaml
      - id: shared
        uses: ./.github/salint
        with:
          paths: base
          target: olm-1.11
          fix: true
          shared: true
      - name: report on shared
        env:
          SEEN: outcome=${{ steps.shared.outcome }} findings=${{ steps.shared.outputs.findings }}
        run: |
          echo "shared: $SEEN"
          if grep serviceAccount base/vault.yaml; then exit 1; fi
`

// consumer is a repository with a workflow that uses the action. The action's source is not in it yet.
func consumer(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{
		".github/workflows/lint.yml":     workflow,
		".salint.yaml":                   "exclude: [.github/**]\n",
		"clusters/prod east/argocd.yaml": withAccount("argocd"),
		"apps/keycloak.yaml":             withAccount("keycloak"),
		"base/vault.yaml":                withAccount("vault"),
		"base/kustomization.yaml":        "resources: [vault.yaml]\n",
		"overlays/a/kustomization.yaml":  "resources: [../../base]\n",
		"overlays/b/kustomization.yaml":  "resources: [../../base]\n",
		"power/base/account.yaml":        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: admin, namespace: ops}}\n",
		"power/base/admin.yaml":          granted("admin", "cluster-admin", "{kind: ServiceAccount, name: admin, namespace: ops}"),
		"moved/before.yaml":              granted("moved", "edit", "{kind: Group, name: moved, apiGroup: rbac.authorization.k8s.io}"),
	})
	return dir
}

// granted is a ClusterRoleBinding of a role to a subject.
func granted(name, role, subject string) string {
	return fmt.Sprintf("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: %s}, roleRef: "+
		"{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}, subjects: [%s]}\n", name, role, subject)
}

// waysToPower are the rules of roles by which their holders can become cluster-admin.
var waysToPower = map[string]string{
	"escalate":    "{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [update, escalate]}",
	"bind":        "{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles, clusterrolebindings], verbs: [create, bind]}",
	"impersonate": "{apiGroups: [''], resources: [users, groups], verbs: [impersonate]}",
	"tokens":      "{apiGroups: [''], resources: [serviceaccounts/token], verbs: [create]}",
	"secrets":     "{apiGroups: [''], resources: [secrets], verbs: [get]}",
	"pods":        "{apiGroups: [''], resources: [pods], verbs: [create]}",
	"exec":        "{apiGroups: [''], resources: [pods/exec], verbs: [create]}",
	"ephemeral":   "{apiGroups: [''], resources: [pods/ephemeralcontainers], verbs: [patch]}",
	"workloads":   "{apiGroups: [apps], resources: [deployments], verbs: [patch]}",
	"extensions":  "{apiGroups: [olm.operatorframework.io], resources: [clusterextensions], verbs: [create]}",
	"webhooks":    "{apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], verbs: [create]}",
	"signing": "{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests/approval, certificatesigningrequests, signers], " +
		"verbs: [create, update, approve, sign]}",
	"nodes": "{apiGroups: [''], resources: [nodes/proxy], verbs: [get, create]}",
}

// addPower grants each way to a group of its own, and everything to one.
func addPower(t *testing.T, dir string) {
	t.Helper()
	group := func(name string) string {
		return fmt.Sprintf("{kind: Group, name: %s-team, apiGroup: rbac.authorization.k8s.io}", name)
	}
	write(t, filepath.Join(dir, "power", "base", "direct.yaml"), granted("direct", "cluster-admin", group("direct")))
	for name, rule := range waysToPower {
		role := fmt.Sprintf("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %s}, rules: [%s]}\n", name, rule)
		write(t, filepath.Join(dir, "power", "base", name+".yaml"), role+"---\n"+granted(name, name, group(name)))
	}
}

// The action: act runs the workflow on this machine, without containers.
func TestAction(t *testing.T) {
	t.Parallel()
	act := client(t, "act", installTools)
	dir, home := consumer(t), t.TempDir()
	base := git(t, dir, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, "apps", "later.yaml"), withAccount("later"))
	addPower(t, dir)
	write(t, filepath.Join(dir, "moved", "after.yaml"), read(t, filepath.Join(dir, "moved", "before.yaml")))
	if err := os.Remove(filepath.Join(dir, "moved", "before.yaml")); err != nil {
		t.Fatal(err)
	}
	copyProject(t, filepath.Join(dir, ".github", "salint"))
	commitAll(t, dir)
	event := filepath.Join(home, "event.json")
	write(t, event, fmt.Sprintf(`{"before": %q}`, base))

	out, code := command{
		t: t, dir: dir, name: act, args: append(actArguments(t, home, event), "--env", "SALINT_RELEASES="+releases(t)),
		env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home},
	}.run()
	if code != 0 {
		t.Errorf("act: exit code %d", code)
	}
	mustContain(t, out,
		"the released program runs", "releases: release=success forged=failure", "and checksums.txt has "+forgedSum,
		"all: outcome=failure findings=5 errors=0 fixable=3 sarif=salint.sarif",
		"::warning", "file=clusters/prod east/argocd.yaml", "## salint",
		// The copied project has an ignore file and configurations, which are new: two notes in each run, and the beginning of each summary.
		"Summary - > [!WARNING]", "This change also changes what salint checks.",
		"changed: outcome=success findings=3",
		"hostile: outcome=failure", "nothing is owned",
		"fix: outcome=success findings=2",
		"base: outcome=failure findings=4", "shared: outcome=success findings=2",
		"permissions: power=failure moved=success", "## salint: No new RBAC permissions",
		"## salint: 14 ways to new power: Group direct-team gains ClusterRole cluster-admin in the whole cluster: effectively cluster-admin; and 13 more",
	)
	for name := range waysToPower {
		mustContain(t, out, fmt.Sprintf("gains ClusterRole %s in the whole cluster", name))
	}
}

// actArguments keeps act and everything it starts inside the home folder, but for the caches of the Go command.
func actArguments(t *testing.T, home, event string) []string {
	t.Helper()
	args := []string{
		"push", "--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--pull=false",
		"--action-cache-path", filepath.Join(home, "act"), "--eventpath", event,
		"--local-repository", "actions/setup-go@v6=" + setupGo(t), "--local-repository", "actions/cache@v4=" + emptyCache(t),
	}
	for _, variable := range buildEnvironment(t) {
		args = append(args, "--env", variable)
	}
	return append(args, "--env", "PATH="+os.Getenv("PATH"))
}

// forgedSum is the checksum that release 0.2.0 has for its archives, which is not theirs.
var forgedSum = strings.Repeat("0", 64)

// releases serves two releases on loopback, whose programs are scripts: 0.1.0, and 0.2.0 with other checksums. It returns the address.
func releases(t *testing.T) string {
	t.Helper()
	files := map[string][]byte{}
	script := func(string) string { return "#!/bin/sh\necho the released program runs\n" }
	addRelease(t, files, "0.1.0", "", script)
	addRelease(t, files, "0.2.0", forgedSum, script)
	return serve(t, files)
}

// addRelease adds a release with some programs, with their checksums, or one checksum for all.
func addRelease(t *testing.T, files map[string][]byte, version, sum string, program func(name string) string) {
	t.Helper()
	machine := fmt.Sprintf("_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	var sums string
	for _, name := range []string{"salint", "salint-action"} {
		archive := zipped(t, name, program(name))
		file := name + "_" + version + machine
		files["/v"+version+"/"+file] = archive
		sums += cmp.Or(sum, fmt.Sprintf("%x", sha256.Sum256(archive))) + "  " + file + "\n"
	}
	files["/v"+version+"/checksums.txt"] = []byte(sums)
}

// serve serves files on loopback, and returns the address.
func serve(t *testing.T, files map[string][]byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, found := files[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// zipped returns a tar.gz with one program.
func zipped(t *testing.T, name, program string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = w.Write([]byte(program))
	}
	if err := errors.Join(err, w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// emptyCache replaces actions/cache by one that has nothing.
func emptyCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{"action.yml": strings.TrimSpace(`
name: cache
description: has nothing
inputs:
  path: {description: what to keep}
  key: {description: its name}
runs:
  using: composite
  steps:
    - shell: bash
      run: 'true'
`)})
	return dir
}

// setupGo replaces actions/setup-go, which act requires even if its step is skipped.
func setupGo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{"action.yml": strings.TrimSpace(`
name: setup-go
description: must not be needed where Go is installed
inputs:
  go-version-file: {description: go.mod}
  cache: {description: whether to cache}
runs:
  using: composite
  steps:
    - shell: bash
      run: exit 1
`)})
	return dir
}

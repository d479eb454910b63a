package clients

import (
	"fmt"
	"os"
	"path/filepath"
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
	})
	return dir
}

// The action: act runs the workflow on this machine, without containers.
func TestAction(t *testing.T) {
	t.Parallel()
	act := client(t, "act", installTools)
	dir, home := consumer(t), t.TempDir()
	base := git(t, dir, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, "apps", "later.yaml"), withAccount("later"))
	copyProject(t, filepath.Join(dir, ".github", "salint"))
	commitAll(t, dir)
	event := filepath.Join(home, "event.json")
	write(t, event, fmt.Sprintf(`{"before": %q}`, base))

	out, code := command{
		t: t, dir: dir, name: act, args: actArguments(t, home, event),
		env: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home},
	}.run()
	if code != 0 {
		t.Errorf("act: exit code %d", code)
	}
	mustContain(t, out,
		"all: outcome=failure findings=3 errors=0 fixable=3 sarif=salint.sarif",
		"::warning", "file=clusters/prod east/argocd.yaml", "Summary - ## salint",
		// The others are the notes that the ignore file and the configurations of the copied project are new.
		"changed: outcome=success findings=3",
		"hostile: outcome=failure", "nothing is owned",
		"fix: outcome=success findings=0",
		"base: outcome=failure findings=2", "shared: outcome=success findings=0",
	)
}

// actArguments keeps act and everything it starts inside the home folder, but for the caches of the Go command.
func actArguments(t *testing.T, home, event string) []string {
	t.Helper()
	args := []string{
		"push", "--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--pull=false",
		"--action-cache-path", filepath.Join(home, "act"), "--eventpath", event,
		"--local-repository", "actions/setup-go@v6=" + setupGo(t),
	}
	for _, variable := range buildEnvironment(t) {
		args = append(args, "--env", variable)
	}
	return append(args, "--env", "PATH="+os.Getenv("PATH"))
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

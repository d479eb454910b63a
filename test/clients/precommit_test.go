package clients

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestPreCommit installs the hooks from a tag of this project with pre-commit, as from GitHub, and runs both.
func TestPreCommit(t *testing.T) {
	t.Parallel()
	precommit := client(t, "pre-commit", "install the package pre-commit of your system")
	hooks := t.TempDir()
	copyProject(t, hooks)
	newRepository(t, hooks, nil)
	git(t, hooks, "tag", "v0.0.1")

	dir := t.TempDir()
	newRepository(t, dir, map[string]string{
		".pre-commit-config.yaml": fmt.Sprintf(`repos:
  - repo: file://%s
    rev: v0.0.1
    hooks:
      - id: salint
        args: [--target=olm-1.11]
      - id: salint-fix
        args: [--target=olm-1.11]
        stages: [manual]
`, hooks),
		"prod east/argocd.yaml": withAccount("argocd"),
		"clean.yaml":            withoutAccount("keycloak"),
	})
	run := func(args ...string) (string, int) {
		return command{
			t: t, dir: dir, name: precommit, args: append([]string{"run", "--verbose"}, args...),
			env: append(buildEnvironment(t), "PRE_COMMIT_HOME="+filepath.Join(hooks, ".git", "pre-commit-home")),
		}.run()
	}

	out, code := run("--all-files")
	if code != 1 {
		t.Errorf("the hook salint: exit code %d, want 1", code)
	}
	mustContain(t, out, "olm/service-account-deprecated", "prod east/argocd.yaml")

	if out, code := run("--files", "clean.yaml"); code != 0 {
		t.Errorf("the hook salint on a clean file: exit code %d\n%s", code, out)
	}

	out, code = run("--hook-stage", "manual", "--all-files", "salint-fix")
	if code != 1 {
		t.Errorf("the hook salint-fix: exit code %d, want 1 because it changed a file", code)
	}
	mustContain(t, out, "files were modified by this hook")
	if got := read(t, filepath.Join(dir, "prod east", "argocd.yaml")); got != withoutAccount("argocd") {
		t.Errorf("salint-fix left:\n%s", got)
	}
	if out, code := run("--all-files"); code != 0 {
		t.Errorf("the hook salint after the fix: exit code %d\n%s", code, out)
	}
}

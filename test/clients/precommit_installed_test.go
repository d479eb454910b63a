package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommitManifest checks the hooks themselves.
func TestPreCommitManifest(t *testing.T) {
	t.Parallel()
	precommit := client(t, "pre-commit", "install the package pre-commit of your system")
	command{t: t, dir: projectRoot(t), name: precommit, args: []string{"validate-manifest", ".pre-commit-hooks.yaml"}}.succeed()
}

// hooksOf returns a repository with the hooks of this project, and nothing to build.
func hooksOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{".pre-commit-hooks.yaml": read(t, filepath.Join(projectRoot(t), ".pre-commit-hooks.yaml"))})
	return dir
}

// tryHook runs a hook of the project on all files of a repository with pre-commit try-repo. The programs of a folder come first.
func tryHook(t *testing.T, dir, hooks, hook, bin string) (string, int) {
	t.Helper()
	precommit := client(t, "pre-commit", "install the package pre-commit of your system")
	return command{
		t: t, dir: dir, name: precommit, args: []string{"try-repo", hooks, hook, "--all-files", "--verbose", "--color", "never"},
		env: []string{
			"PRE_COMMIT_HOME=" + t.TempDir(), "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		},
	}.run()
}

// hookRepository is a repository with one finding, and its release.
func hookRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	newRepository(t, dir, map[string]string{
		".salint.yaml": "target: olm-1.11\n", "prod east/argocd.yaml": withAccount("argocd"), "clean.yaml": withoutAccount("keycloak"), "README.md": "# none\n",
	})
	return dir
}

// TestPreCommitInstalled runs the hooks that need no compiler: with a salint on the PATH.
func TestPreCommitInstalled(t *testing.T) {
	t.Parallel()
	bin, hooks, dir := salintFolder(t), hooksOf(t), hookRepository(t)
	out, code := tryHook(t, dir, hooks, "salint-system", bin)
	if code != 1 {
		t.Errorf("salint-system: exit code %d, want 1", code)
	}
	mustContain(t, out, "olm/service-account-deprecated", "prod east/argocd.yaml")
	if strings.Count(out, "1 warning in ") != 1 {
		t.Errorf("salint ran several times:\n%s", out)
	}
	out, code = tryHook(t, dir, hooks, "salint-system-fix", bin)
	if code != 1 {
		t.Errorf("salint-system-fix: exit code %d, want 1 because it changed a file", code)
	}
	mustContain(t, out, "files were modified by this hook")
	if got := read(t, filepath.Join(dir, "prod east", "argocd.yaml")); got != withoutAccount("argocd") {
		t.Errorf("salint-system-fix left:\n%s", got)
	}
	if out, code := tryHook(t, dir, hooks, "salint-system", bin); code != 0 {
		t.Errorf("salint-system after the fix: exit code %d\n%s", code, out)
	}
	if out, code := tryHook(t, dir, hooks, "salint-system", t.TempDir()); code != 1 || !strings.Contains(out, "`salint` not found") {
		if _, err := os.Stat("/usr/local/bin/salint"); err != nil {
			t.Errorf("salint-system without salint: exit code %d\n%s", code, out)
		}
	}
}

// TestPreCommitImage runs the hooks with the image. A script takes the place of docker: it checks the options that decide which files the
// container sees and as which user, and runs the program in the folder of the host. release/check-image.sh runs the image in the same way.
func TestPreCommitImage(t *testing.T) {
	t.Parallel()
	bash := client(t, "bash", "install bash")
	hooks, dir, bin := hooksOf(t), hookRepository(t), t.TempDir()
	log := filepath.Join(bin, "log")
	write(t, filepath.Join(bin, "docker"), fmt.Sprintf(`#!%s
set -eu
[ "$1" = run ] || exit 0
echo "$*" >> %q
while [ $# -gt 0 ]; do
  case $1 in
    ghcr.io/salint/salint:git) shift; exec %q "$@" ;;
    *) shift ;;
  esac
done
echo 'no image' >&2
exit 9
`, bash, log, filepath.Join(salintFolder(t), "salint")))
	if err := os.Chmod(filepath.Join(bin, "docker"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, code := tryHook(t, dir, hooks, "salint-docker", bin)
	if code != 1 {
		t.Errorf("salint-docker: exit code %d, want 1", code)
	}
	mustContain(t, out, "olm/service-account-deprecated", "prod east/argocd.yaml")
	if out, code = tryHook(t, dir, hooks, "salint-docker-fix", bin); code != 1 {
		t.Errorf("salint-docker-fix: exit code %d, want 1 because it changed a file\n%s", code, out)
	}
	if got := read(t, filepath.Join(dir, "prod east", "argocd.yaml")); got != withoutAccount("argocd") {
		t.Errorf("salint-docker-fix left:\n%s", got)
	}
	mustContain(t, read(t, log), "--rm", ":/src:rw", "--workdir /src", "ghcr.io/salint/salint:git lint ", "ghcr.io/salint/salint:git lint --fix ")
}

package clients

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGitLabPipeline runs pipelines that include the component, with the shell executor of gitlab-ci-local.
func TestGitLabPipeline(t *testing.T) {
	t.Parallel()
	runner := client(t, "gitlab-ci-local", "run npm install --global gitlab-ci-local, with Node.js 22 or later")
	client(t, "rsync", "install rsync")
	component := read(t, filepath.Join(projectRoot(t), "examples/fleet/gitlab/templates/salint.yml"))
	home, bin := t.TempDir(), salintFolder(t)
	for name, test := range map[string]struct {
		inputs, manifest string
		code, findings   int
	}{
		"findings":         {"{target: olm-1.11}", withAccount("argocd"), 1, 1},
		"findings allowed": {"{target: olm-1.11, fail-on: never, stage: build}", withAccount("argocd"), 0, 1},
		"clean":            {"{target: olm-1.11}", withoutAccount("argocd"), 0, 0},
		"unknown target":   {"{target: olm-x}", withAccount("argocd"), 1, -1},
		"unknown severity": {"{fail-on: everything}", withAccount("argocd"), 1, -1},
		"a command":        {`{target: "$(touch owned)", fail-on: never}`, withAccount("argocd"), 1, -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			newRepository(t, dir, map[string]string{
				"templates/salint.yml": component,
				".gitlab-ci.yml":       "include:\n  - component: $CI_SERVER_FQDN/$CI_PROJECT_PATH/salint@$CI_COMMIT_SHA\n    inputs: " + test.inputs + "\n",
				"argocd.yaml":          test.manifest,
			})
			git(t, dir, "remote", "add", "origin", "git@gitlab.example.org:acme/payments.git")
			out, code := command{t: t, dir: dir, name: runner, args: []string{"--force-shell-executor", "--no-color"}, env: []string{
				"HOME=" + home, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull,
				"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
			}}.run()
			if code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, out)
			}
			if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
				t.Error("an input was executed")
			}
			if test.findings >= 0 {
				checkArtifacts(t, dir, test.findings)
			}
		})
	}
}

// checkArtifacts reads the artifacts of the pipeline, which gitlab-ci-local copies to the project.
func checkArtifacts(t *testing.T, dir string, findings int) {
	t.Helper()
	var quality []struct {
		Fingerprint string
		Severity    string
		Location    struct{ Path string }
	}
	var report struct {
		Source   struct{ Repository, Revision string }
		Findings []struct{ Fingerprint string }
	}
	for name, into := range map[string]any{"gl-code-quality-report.json": &quality, "salint-report.json": &report} {
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, name))), into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if len(quality) != findings || len(report.Findings) != findings {
		t.Fatalf("%d findings in the code quality report and %d in the JSON report, want %d", len(quality), len(report.Findings), findings)
	}
	if head := git(t, dir, "rev-parse", "HEAD"); report.Source.Repository != "gitlab.example.org/acme/payments" || report.Source.Revision != head {
		t.Errorf("the source is %+v, want commit %s", report.Source, head)
	}
	for _, found := range quality {
		if got := fmt.Sprintf("%s %s", found.Location.Path, found.Severity); got != "argocd.yaml major" || strings.TrimSpace(found.Fingerprint) == "" {
			t.Errorf("%+v", found)
		}
	}
}

//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// outsideMarker is in a file outside of the repository, and in no other.
const outsideMarker = "hunter2-marker"

// readAttempt is a repository in which one name leads to a file that must not be read, and a command that asks for it.
type readAttempt struct {
	name string
	// link is the path in the repository that becomes a symlink or a pipe.
	link string
	// files are written before.
	files map[string]string
	line  string
}

var readAttempts = []readAttempt{
	{"configuration", ".salint.yaml", nil, "lint"},
	{"configuration of a folder", "sub/.salint.yaml", map[string]string{"sub/a.yaml": "a: b\n"}, "lint"},
	{"named configuration", "conf.yaml", nil, "lint --config conf.yaml"},
	{"configuration of plan", ".salint.yaml", nil, "plan"},
	{"configuration of can-i", ".salint.yaml", nil, "can-i get secrets --as x"},
	{"policy", "policy/p.rego", map[string]string{".salint.yaml": "policies: [policy]\n"}, "lint"},
	{"examples of a policy", "policy/p.examples.yaml", map[string]string{".salint.yaml": "policies: [policy]\n", "policy/p.rego": samplePolicy}, "lint"},
	{"policy test", "policy/p.rego", map[string]string{"policy/q.rego": samplePolicy}, "policy test policy"},
	{"policy of rules", "policy/p.rego", map[string]string{"policy/q.rego": samplePolicy}, "rules --policy policy"},
	{"baseline", "baseline.json", nil, "lint --baseline baseline.json"},
	{"errors", "errors.txt", map[string]string{"extension.yaml": sampleExtension}, "preflight --errors errors.txt"},
	{"granted", "granted.yaml", map[string]string{"extension.yaml": sampleExtension, "bundle/manifests/a.yaml": "a: b\n"},
		"preflight --bundle bundle --granted granted.yaml"},
	{"bundle", "bundle/manifests/csv.yaml", map[string]string{"extension.yaml": sampleExtension}, "preflight --bundle bundle"},
	{"bundle of the configuration", "bundle/manifests/csv.yaml",
		map[string]string{"extension.yaml": sampleExtension, ".salint.yaml": "bundles: {hubble: bundle}\n"}, "lint"},
	{"bundle-diff", "b/manifests/csv.yaml", map[string]string{"a/manifests/csv.yaml": "a: b\n"}, "bundle-diff a b"},
	{"values of a chart", "chart/values.yaml", map[string]string{"chart/Chart.yaml": sampleChart, "chart/templates/a.yaml": "a: {{ .Values | toJson }}\n"}, "lint"},
	{"values of the configuration", "values.yaml", map[string]string{"chart/Chart.yaml": sampleChart, "chart/templates/a.yaml": "a: {{ .Values | toJson }}\n",
		".salint.yaml": "helm: {chart: {values: [[values.yaml]]}}\n"}, "lint"},
	{"file of a chart", "chart/secret.txt", map[string]string{"chart/Chart.yaml": sampleChart, "chart/templates/a.yaml": `a: {{ .Files.Get "secret.txt" | quote }}` + "\n"}, "lint"},
	{"template", "chart/templates/b.yaml", map[string]string{"chart/Chart.yaml": sampleChart}, "lint"},
	{"manifest", "a.yaml", nil, "lint"},
	{"resource", "base/a.yaml", map[string]string{"base/kustomization.yaml": "namePrefix: a-\nresources: [a.yaml]\n"}, "lint"},
	{"kustomization", "base/kustomization.yaml", nil, "lint"},
	{"patch", "base/p.yaml", map[string]string{"base/kustomization.yaml": "resources: [e.yaml]\npatches: [{path: p.yaml}]\n", "base/e.yaml": sampleExtension}, "lint --diff"},
	{"generator", "base/env", map[string]string{"base/kustomization.yaml": "configMapGenerator: [{name: a, envs: [env], files: [env]}]\n"}, "lint"},
	{"ignore file", ".gitignore", nil, "lint"},
	{"ignore file of a chart", "chart/.helmignore", map[string]string{"chart/Chart.yaml": sampleChart}, "lint"},
	{"script", "Makefile", map[string]string{"extension.yaml": sampleExtension}, "lint --fix --prune"},
	{"overrides of Argo CD", "app/.argocd-source.yaml", map[string]string{"app/e.yaml": sampleExtension}, "lint"},
}

// harmless are the attempts that change no answer, so that nothing has to be said: what cannot be read is not used.
var harmless = map[string]bool{"generator": true, "ignore file of a chart": true, "script": true}

// TestNothingOutsideIsRead leads every name that a repository has salint read to a password outside of it, to a device that
// never ends, to salint's own environment, and to a pipe without a writer.
func TestNothingOutsideIsRead(t *testing.T) {
	t.Setenv("SALINT_TEST_SECRET", outsideMarker)
	outside := filepath.Join(t.TempDir(), "netrc")
	if err := os.WriteFile(outside, []byte("machine "+outsideMarker+": ["+outsideMarker+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, a := range readAttempts {
		for kind, to := range map[string]string{
			"a file outside": outside, "the environment": "/proc/self/environ", "an endless device": "/dev/zero", "a pipe": "",
		} {
			dir := t.TempDir()
			makeAttempt(t, dir, a, to)
			begin := time.Now()
			out := runLine(dir, a.line)
			if strings.Contains(out, outsideMarker) {
				t.Errorf("%s, %s: the marker is in the output:\n%s", a.name, kind, out)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("%s, %s: %v", a.name, kind, took)
			}
			if strings.Contains(out, "No problems") && !harmless[a.name] {
				t.Errorf("%s, %s: nothing is said:\n%s", a.name, kind, out)
			}
		}
	}
}

func makeAttempt(t *testing.T, dir string, a readAttempt, to string) {
	t.Helper()
	makeRepository(t, dir)
	for name, text := range a.files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, a.link)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if to == "" {
		err = syscall.Mkfifo(link, 0o644)
	} else {
		err = os.Symlink(to, link)
	}
	if err != nil {
		t.Skipf("this file system has no symlinks or pipes: %v", err)
	}
}

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/salint/salint/internal/files/filestest/disk"
	"github.com/salint/salint/test/golden"
)

// scenes are the repositories of testdata/docs in which commands of the documentation run.
var docScenes = golden.Suite{Cases: "testdata/docs/*", Inputs: []string{"main/", "change/"}}

// A docScene is where the commands of a page run.
type docScene struct {
	// prompts sets up the folder of the commands that the page shows with a prompt and their output: they run one after the other.
	prompts func(t *testing.T, dir string)
	// whole is set if all commands of the page run one after the other in that folder. Otherwise each block without prompts has its own copy
	// of the common repository.
	whole bool
	// files are added to the common repository.
	files map[string]string
}

// docScenesOf has the pages that need something else than the common repository.
var docScenesOf = map[string]docScene{
	"README.md":           {prompts: exampleOfDocs},
	"docs/conftest.md":    {prompts: policiesOfExamples, whole: true},
	"docs/tutorial.md":    {prompts: cloneOfProject, whole: true},
	"docs/cli.md":         {prompts: exampleOfDocs},
	"docs/permissions.md": {prompts: sceneOf("builders"), files: map[string]string{".salint.yaml": "bundles: {argocd: bundles/argocd-0.6}\n"}},
}

// docPrograms are the programs that the documentation runs beside salint and that tests do not have, with a script in place of each.
var docPrograms = map[string]string{
	"kubectl": `case "$*" in
		"auth can-i --list"*) printf 'Resources    Non-Resource URLs   Resource Names   Verbs\nconfigmaps   []                  []               [get list]\n' ;;
		"get clusterextension argocd -o yaml") printf 'status:\n  conditions:\n    - type: Progressing\n      message: |-\n        %s\n' "$(cat failed.txt)" ;;
		"get deployments"*) echo "olmv1-system operator-controller 1/1 quay.io/operator-framework/operator-controller:v1.10.0" ;;
		*) [ -t 0 ] || cat > /dev/null ;;
		esac`,
	"oc": "true", "kustomize": "cat > /dev/null < /dev/null", "diff": "true", "dot": "cat", "gh": "true", "multi-gitter": "true",
	"reviewdog": "cat > /dev/null", "cosign": "true", "edit-nothing": "true",
	"opa": "case $1 in build) : > policies.tar.gz ;; esac", "regal": "true", // TestPolicyInit runs them if they are installed
	"oras": "true", "curl": "true",
}

// docBundles are other names under which the documentation uses the two bundles of the common repository.
var docBundles = map[string]string{
	"bundles/argocd": "argocd-0.6", "bundles/argocd-operator": "argocd-0.6", "bundles/argocd-operator-0.6.0": "argocd-0.5",
	"bundles/argocd-operator-0.7.0": "argocd-0.6", "old": "argocd-0.5", "new": "argocd-0.6",
}

// docEnvironment is what the systems set in which commands of the documentation run.
var docEnvironment = []string{
	"EDITOR=edit-nothing", "CI_REPOSITORY_URL=https://git.example.org/acme/payments.git", "CI_COMMIT_SHA=0123456789012345678901234567890123456789",
	"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
}

// An unrunCommand is a command of the documentation that no test runs, why, and what is checked instead.
type unrunCommand struct {
	begins, why string
	check       func(t *testing.T, command string)
}

var unrunCommands = []unrunCommand{
	{"git clone ", "needs the network", nil},
	{"make ", "builds", checkMakeTarget},
	{"go ", "builds or tests this project", checkGoPackages},
	{"SALINT_LSP_REPOSITORY=", "a benchmark of minutes", checkGoPackages},
	{"salint lint --config central.yaml --merge", "needs the file of a platform; the golden cases fixtures/platform run it", nil},
	{"salint lint --workspace ", "needs several repositories; the golden cases fixtures/workspace and TestWorkspaces run it", nil},
	{"salint who-can --become cluster-admin --workspace ", "needs several repositories; the golden cases fixtures/workspace and TestWorkspaces run it", nil},
	{"salint diff --workspace ", "needs several repositories; the golden cases fixtures/workspace and TestWorkspaces run it", nil},
	{"salint report reports/ --workspace ", "needs several repositories; the golden cases fixtures/workspace and TestWorkspaces run it", nil},
	{"sha256sum ", "needs the files of a release", nil},
	{"examples/fleet/lint.sh ", "clones repositories; TestFleetScript runs it", checkFile},
}

// docCodes are the commands whose exit code is 2, and why.
var docCodes = map[string]string{
	"salint lsp": "no editor is connected", "salint lsp --target olm-1.11": "no editor is connected",
}

func checkMakeTarget(t *testing.T, command string) {
	target, _, _ := strings.Cut(strings.TrimPrefix(command, "make "), " ")
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).MatchString(readPage(t, "../../Makefile")) {
		t.Errorf("%s: the Makefile has no such target", command)
	}
}

// checkGoPackages checks that the folders of packages exist.
func checkGoPackages(t *testing.T, command string) {
	for _, word := range strings.Fields(command) {
		if folder, ok := strings.CutPrefix(word, "./"); ok {
			checkFile(t, strings.TrimSuffix(folder, "/..."))
		}
	}
}

func checkFile(t *testing.T, command string) {
	file, _, _ := strings.Cut(command, " ")
	if _, err := os.Stat(filepath.Join("../..", filepath.FromSlash(file))); err != nil {
		t.Error(err)
	}
}

// exampleOfDocs makes the repository of docs/example, with one commit. TestReadme of test/release makes the same commit, because the pages
// show its name.
func exampleOfDocs(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../../docs/example")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "base"}} {
		disk.Git(t, dir, args...)
	}
}

// policiesOfExamples makes a repository with the twelve rules of examples.
func policiesOfExamples(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../../examples/policies")); err != nil {
		t.Fatal(err)
	}
	makeRepository(t, dir)
}

// cloneOfProject makes a folder like a clone of this project, as far as the tutorial uses it.
func cloneOfProject(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "salint", "docs", "example"), os.DirFS("../../docs/example")); err != nil {
		t.Fatal(err)
	}
}

// sceneOf returns a function that makes the repository of an archive.
func sceneOf(name string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		golden.WriteFolder(t, dir, golden.Below("main/", docScenes.Read(t, name)))
		makeRepository(t, dir)
	}
}

// commonScene makes the common repository: a branch with uncommitted changes, and reports of two weeks.
func commonScene(t *testing.T, dir string, more map[string]string) {
	t.Helper()
	archive := docScenes.Read(t, "common")
	files := golden.Below("main/", archive)
	for name, same := range docBundles {
		for file, text := range golden.Below("bundles/"+same+"/", files) {
			files[name+"/"+file] = text
		}
	}
	maps.Copy(files, more)
	commitBase(t, dir, files)
	maps.Copy(files, golden.Below("change/", archive))
	golden.WriteFolder(t, dir, files)
	origin := exec.Command("git", "update-ref", "refs/remotes/origin/main", "main")
	origin.Dir = dir
	if out, err := origin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, week := range []string{"reports", "last-week"} {
		if err := os.MkdirAll(filepath.Join(dir, week), 0o755); err != nil {
			t.Fatal(err)
		}
		runLine(dir, "lint --fail-on never --quiet --repository git.example.org/acme/payments --output json="+week+"/payments.json")
	}
}

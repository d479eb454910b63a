package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

const lspExtension = `apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  serviceAccount:
    name: argocd-installer
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
`

const lspRBAC = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: argocd-installer
  namespace: argocd
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: argocd-installer
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: argocd-installer
subjects:
  - kind: ServiceAccount
    name: argocd-installer
    namespace: argocd
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: argocd-installer
rules:
  - apiGroups: [apps]
    resources: [deployments]
    verbs: [get, create]
`

// lspFolder writes a repository for an editor.
func lspFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makeRepository(t, dir)
	golden.WriteFolder(t, dir, files)
	return dir
}

// compared is a finding in the form in which lint and the server are compared.
type compared struct {
	Rule, Message         string
	Line, Column, EndLine int
	EndColumn, Related    int
}

// lintedIn returns what `salint lint` finds in files of a repository with the texts of an editor; nil if it finds out nothing, because the
// configuration is invalid. Notes on fixes are left out: they depend on --shared, which is for --fix only.
func lintedIn(t testing.TB, files, open map[string]string, args ...string) map[string][]compared {
	t.Helper()
	all := maps.Clone(files)
	maps.Copy(all, open)
	dir := lspFolder(t, all)
	line := append([]string{"lint", "--format", "json"}, args...)
	found := map[string][]compared{}
	for _, name := range slices.Sorted(maps.Keys(open)) {
		line = append(line, filepath.FromSlash(name))
	}
	var stdout, stderr bytes.Buffer
	testCommand(dir, &stdout, &stderr).Main(line)
	if stdout.Len() == 0 && strings.Contains(stderr.String(), ".salint.yaml:") {
		return nil
	}
	var report struct {
		Findings []struct {
			Rule, Message, File              string
			Line, Column, EndLine, EndColumn int
			Related                          []struct{}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s%s", err, stdout.String(), stderr.String())
	}
	for _, f := range report.Findings {
		if f.Rule == "repo/unfixable" {
			continue
		}
		c := compared{Rule: f.Rule, Message: safetext.Text(f.Message), Line: f.Line, Related: len(f.Related)}
		if f.Line != f.EndLine || f.Column != f.EndColumn {
			c.Column, c.EndLine, c.EndColumn = f.Column, f.EndLine, f.EndColumn
		}
		found[f.File] = append(found[f.File], c)
	}
	return found
}

// diagnosed returns the diagnostics of a document in the same form. Those of which lint knows only the line are compared with it.
func (e *editor) diagnosed(name string, wanted []compared) []compared {
	e.t.Helper()
	var found []compared
	for _, d := range e.found(name) {
		if d.Code == "repo/unfixable" {
			continue
		}
		c := compared{Rule: d.Code, Message: d.Message, Line: d.Range.Start.Line + 1, Related: len(d.RelatedInformation)}
		if i := len(found); i >= len(wanted) || wanted[i].EndLine != 0 {
			c.Column, c.EndLine, c.EndColumn = columnIn(e.texts[name], d.Range.Start), d.Range.End.Line+1, columnIn(e.texts[name], d.Range.End)
		}
		found = append(found, c)
	}
	return found
}

// columnIn converts a position to a column that counts code points from 1.
func columnIn(text string, p lspPosition) int {
	end := offsetIn(text, p)
	start := strings.LastIndexByte(text[:end], '\n') + 1
	return utf8.RuneCountInString(text[start:end]) + 1
}

// compare compares the diagnostics of all open documents with what lint finds in them.
func (e *editor) compare(step string, files map[string]string, args ...string) {
	e.t.Helper()
	wanted := lintedIn(e.t, files, e.texts, args...)
	for _, name := range slices.Sorted(maps.Keys(e.texts)) {
		if wanted == nil {
			got := e.found(name)
			if len(got) != 1 || got[0].Severity != 1 || name != ".salint.yaml" && !strings.HasPrefix(got[0].Message, "not checked: ") {
				e.t.Fatalf("%s: %s is not checked, got %+v", step, name, got)
			}
			continue
		}
		if diff := cmp.Diff(wanted[name], e.diagnosed(name, wanted[name])); diff != "" {
			e.t.Fatalf("%s: %s (-lint +server):\n%s\n%s", step, name, diff, e.texts[name])
		}
	}
}

// TestLSPSession opens, edits, saves, renames, and closes files as an editor does, and compares the diagnostics after each step with
// what lint finds in the same bytes.
func TestLSPSession(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/extension.yaml": lspExtension, "a/rbac.yaml": lspRBAC, ".salint.yaml": "target: olm-1.10\n", "README.md": "text\n"}
	dir := lspFolder(t, files)
	before := golden.ReadFolder(t, dir)
	e := startEditor(t, dir, editorCapabilities)
	step := func(name string, edit func()) {
		t.Helper()
		e.forgetAll() // the run that the step starts sends all diagnostics again
		edit()
		e.compare(name, files)
	}
	step("open", func() { e.open("a/extension.yaml", lspExtension) })
	if len(e.found("a/extension.yaml")) == 0 {
		t.Fatal("no diagnostics")
	}
	at := strings.Index(lspExtension, "argocd-installer")
	step("type", func() { e.change("a/extension.yaml", at, at+len("argocd"), "é😀") })
	step("break", func() { e.change("a/extension.yaml", 0, 0, "{") })
	step("undo", func() { e.set("a/extension.yaml", lspExtension) })
	step("a second file", func() { e.open("a/rbac.yaml", lspRBAC) })
	step("change the second file", func() {
		e.set("a/rbac.yaml", strings.ReplaceAll(lspRBAC, "name: argocd-installer", "name: other"))
	})
	step("an unsaved configuration", func() { e.open(".salint.yaml", "target: olm-1.11\n") })
	step("a mistake in the configuration", func() {
		e.set(".salint.yaml", "target: olm-1.11\nfailOnn: error\n")
		if got := e.found(".salint.yaml"); len(got) != 1 || got[0].Range.Start.Line != 1 || !strings.Contains(got[0].Message, "failOnn") {
			t.Errorf("the configuration: %+v", got)
		}
	})
	step("a corrected configuration", func() { e.set(".salint.yaml", "target: olm-1.11\n") })
	step("discard", func() { e.close("a/rbac.yaml") })
	if after := golden.ReadFolder(t, dir); cmp.Diff(before, after) != "" {
		t.Errorf("the server wrote files:\n%s", cmp.Diff(before, after))
	}
	step("save", func() {
		files["a/extension.yaml"] = e.texts["a/extension.yaml"]
		golden.WriteFolder(t, dir, map[string]string{"a/extension.yaml": files["a/extension.yaml"]})
		e.save("a/extension.yaml")
	})
	step("rename", func() {
		text := e.texts["a/extension.yaml"]
		e.close("a/extension.yaml")
		delete(files, "a/extension.yaml")
		if err := os.Rename(filepath.Join(dir, "a", "extension.yaml"), filepath.Join(dir, "a", "renamed.yaml")); err != nil {
			t.Fatal(err)
		}
		files["a/renamed.yaml"] = text
		e.open("a/renamed.yaml", text)
	})
	step("a new file that is not saved", func() { e.open("b/new.yaml", lspExtension) })
	step("another program", func() {
		files["a/rbac.yaml"] = strings.ReplaceAll(lspRBAC, "ClusterRole\n", "Role\n")
		golden.WriteFolder(t, dir, map[string]string{"a/rbac.yaml": files["a/rbac.yaml"]})
		e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("a/rbac.yaml"), "type": 2}}})
	})
	e.shutdown()
}

// lspRepositories are golden cases whose repositories are edited.
var lspRepositories = []string{
	"fix/carry-over-cluster-role-bindings", "fix/chart", "fix/kustomization-with-comments", "fix/prune-under-prefixes", "fix/fixes-in-several-rounds",
	"fix/shared-base-keeps-the-field", "fix/target-unknown-of-some", "fix/paths-applications", "fix/way-back-under-prefixes", "fix/placeholder",
}

// TestLSPRandomEdits edits files of repositories at random, and compares the diagnostics after each step with what lint finds in the same
// bytes.
func TestLSPRandomEdits(t *testing.T) {
	t.Parallel()
	steps := long.Runs(8, 30)
	for seed, name := range lspRepositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := &randomEdits{t: t, rand: rand.New(rand.NewSource(int64(seed))), files: repositoryOf(t, name)}
			x.editor = startEditor(t, lspFolder(t, x.files), editorCapabilities)
			for _, file := range slices.Sorted(maps.Keys(x.files)) {
				if repo.IsManifest(file) {
					x.names = append(x.names, file)
				}
			}
			x.openAny()
			for i := range steps {
				what := x.step()
				x.editor.compare(fmt.Sprintf("step %d: %s", i, what), x.files)
			}
			x.editor.shutdown()
		})
	}
}

// randomEdits edits a repository.
type randomEdits struct {
	t       *testing.T
	rand    *rand.Rand
	editor  *editor
	files   map[string]string // on the disk
	names   []string
	earlier []string
}

func (x *randomEdits) pick(from []string) string { return from[x.rand.Intn(len(from))] }

// document returns the name of an open document.
func (x *randomEdits) document() string {
	return x.pick(slices.Sorted(maps.Keys(x.editor.texts)))
}

func (x *randomEdits) openAny() {
	name := x.pick(x.names)
	if _, open := x.editor.texts[name]; !open {
		x.editor.forgetAll()
		x.editor.open(name, x.files[name])
	}
}

// step makes one change, and returns what it was.
func (x *randomEdits) step() string {
	e, name := x.editor, x.document()
	text := e.texts[name]
	switch x.rand.Intn(10) {
	case 0:
		if len(x.earlier) > 0 {
			x.editor.forgetAll()
			e.set(name, x.pick(x.earlier))
		}
		return "undo " + name
	case 1:
		x.openAny()
		return "open"
	case 2:
		x.editor.forgetAll()
		x.files[name] = text
		golden.WriteFolder(x.t, e.dir, map[string]string{name: text})
		e.save(name)
		return "save " + name
	case 3:
		if len(e.texts) > 1 {
			x.editor.forgetAll()
			e.close(name)
		}
		return "close " + name
	case 4:
		for range 5 { // without waiting
			x.edit(name)
		}
		return "type in " + name
	}
	x.edit(name)
	return "edit " + name
}

// edit changes a part of a document: a word, a line, or a piece.
func (x *randomEdits) edit(name string) {
	x.editor.forgetAll()
	e := x.editor
	text := e.texts[name]
	x.earlier = append(x.earlier, text)
	other := x.files[x.pick(x.names)]
	lines := strings.SplitAfter(text, "\n")
	n := x.rand.Intn(len(lines))
	start := len(strings.Join(lines[:n], ""))
	switch x.rand.Intn(5) {
	case 0: // delete lines
		end := start + len(strings.Join(lines[n:min(n+1+x.rand.Intn(3), len(lines))], ""))
		e.change(name, start, end, "")
	case 1: // insert a line
		from := strings.SplitAfter(other, "\n")
		e.change(name, start, start, x.pick(from))
	case 2: // type a character
		at := start + x.rand.Intn(len(lines[n])+1)
		for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			at--
		}
		e.change(name, at, at, x.pick(strings.Split(": ,-,{,[,\",#,\n,  ,a,é,😀,---\n", ",")))
	case 3: // replace a word
		words := strings.Fields(text)
		if len(words) == 0 {
			e.set(name, other)
			return
		}
		word := x.pick(words)
		at := strings.Index(text, word)
		e.change(name, at, at+len(word), x.pick(strings.Fields(other+" argocd")))
	default: // add a document
		e.change(name, len(text), len(text), "---\n"+other)
	}
}

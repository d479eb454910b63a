package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/test/golden"
	"github.com/salint/salint/test/long"
)

// actions returns the code actions of a whole document.
func (e *editor) actions(name string, only ...string) []lspAction {
	e.t.Helper()
	var actions []lspAction
	e.call("textDocument/codeAction", e.actionParams(name, only...), &actions)
	return actions
}

func (e *editor) actionParams(name string, only ...string) map[string]any {
	about := map[string]any{"diagnostics": []any{}}
	if len(only) > 0 {
		about["only"] = only
	}
	return map[string]any{
		"textDocument": document(e.uri(name)), "context": about,
		"range": map[string]any{"start": lspPosition{}.json(), "end": lspPosition{Line: 1 << 20}.json()},
	}
}

func (p lspPosition) json() map[string]int {
	return map[string]int{"line": p.Line, "character": p.Character}
}

// applied returns the files of a repository after an edit. Edits of open documents must name their version.
func (e *editor) applied(files map[string]string, edit *lspEdit) map[string]string {
	e.t.Helper()
	after := maps.Clone(files)
	maps.Copy(after, e.texts)
	for _, data := range edit.DocumentChanges {
		var c struct {
			Kind, URI    string
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []struct {
				Range   lspRange
				NewText string
			}
		}
		if err := json.Unmarshal(data, &c); err != nil {
			e.t.Fatal(err)
		}
		switch c.Kind {
		case "create":
			after[e.nameOf(c.URI)] = ""
			continue
		case "delete":
			delete(after, e.nameOf(c.URI))
			continue
		}
		name := e.nameOf(c.TextDocument.URI)
		if _, open := e.texts[name]; open != (c.TextDocument.Version != nil) || open && *c.TextDocument.Version != e.versions[name] {
			e.t.Errorf("%s: the edit has the version %v", name, c.TextDocument.Version)
		}
		text := after[name]
		slices.SortStableFunc(c.Edits, func(a, b struct {
			Range   lspRange
			NewText string
		}) int {
			return offsetIn(text, b.Range.Start) - offsetIn(text, a.Range.Start)
		})
		for _, one := range c.Edits {
			after[name] = after[name][:offsetIn(text, one.Range.Start)] + one.NewText + after[name][offsetIn(text, one.Range.End):]
		}
	}
	return after
}

func (e *editor) nameOf(uri string) string {
	name, err := filepath.Rel(fileURI(e.dir), uri)
	if err != nil {
		e.t.Fatal(err)
	}
	return filepath.ToSlash(name)
}

// fixedBy returns the files of a repository after `salint lint --fix --shared` for one file.
func fixedBy(t testing.TB, files map[string]string, name string, args ...string) map[string]string {
	t.Helper()
	dir := lspFolder(t, files)
	line := append([]string{"lint", "--fix", "--shared"}, args...)
	runArgs(dir, append(line, filepath.FromSlash(name)))
	return golden.ReadFolder(t, dir)
}

// flagsOf are the flags that make the fixes of a kind, and no others.
var flagsOf = map[string][]string{"unsafe": {"--unsafe-fixes"}, "prune": {"--prune-only"}}

// TestLSPFixesEqualFix compares the code actions about the files of golden cases with `salint lint --fix` on the same bytes: that for all
// safe fixes, and that for one fix if it is the only one. A part of the cases shows what all show.
func TestLSPFixesEqualFix(t *testing.T) {
	t.Parallel()
	var all, single atomic.Int64
	t.Cleanup(func() { // after the parallel cases
		if n, m := all.Load(), single.Load(); n < 5 || m < 5 {
			t.Errorf("only %d code actions for all fixes, and %d for one, were compared", n, m)
		}
	})
	cases := slices.DeleteFunc(fixtures.Names(t), func(name string) bool {
		group, _, _ := strings.Cut(name, "/")
		return !slices.Contains([]string{"fix", "overlays", "charts", "rules"}, group)
	})
	step := long.Runs(16, 3)
	for i, name := range cases {
		if i%step != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, m := compareFixes(t, fixtures.Read(t, name))
			all.Add(int64(n))
			single.Add(int64(m))
		})
	}
}

// compareFixes returns how many actions it has compared: for all fixes of a file, and for one.
func compareFixes(t *testing.T, c map[string]string) (all, single int) {
	files := golden.Below("in/", c)
	if len(golden.Below("base/", c)) > 0 {
		return 0, 0
	}
	var args []string
	if words := strings.Fields(c["cmd"]); slices.Contains(words, "--target") {
		args = words[slices.Index(words, "--target"):][:2]
	}
	e := startEditor(t, lspFolder(t, files), editorCapabilities, args...)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if repo.IsManifest(name) && !strings.Contains(files[name], "\r") && all < 2 {
			e.open(name, files[name])
			e.found(name)
			n, m := e.compareActions(files, name, args)
			all, single = all+n, single+m
			e.close(name)
		}
	}
	e.shutdown()
	return all, single
}

func (e *editor) compareActions(files map[string]string, name string, args []string) (all, single int) {
	e.t.Helper()
	var params any = e.actionParams(name)
	var actions []struct {
		lspAction
		Kind        string
		Diagnostics []lspDiagnostic
	}
	e.call("textDocument/codeAction", params, &actions)
	kinds := map[string]int{}
	for _, action := range actions {
		kinds[kindOf(action.lspAction, action.Kind)]++
	}
	for _, action := range actions {
		kind := kindOf(action.lspAction, action.Kind)
		if action.Disabled != nil || kind != "all" && kinds[kind] > 1 {
			continue
		}
		flags := slices.Concat(args, flagsOf[kind])
		if kind == "unsafe" { // which also makes the safe fixes
			flags = append(flags, "--only", action.Diagnostics[0].Code)
		}
		fixed := fixedBy(e.t, files, name, flags...)
		if diff := cmp.Diff(fixed, e.applied(files, action.Edit)); diff != "" {
			e.t.Errorf("%s: %s (-lint --fix +editor):\n%s", name, action.Title, diff)
		}
		if kind == "all" {
			all++
		} else {
			single++
		}
	}
	return all, single
}

// kindOf returns the kind of the fix of an action, or "all".
func kindOf(action lspAction, kind string) string {
	switch {
	case kind == "source.fixAll.salint":
		return "all"
	case strings.HasSuffix(action.Title, " (unsafe)"):
		return "unsafe"
	case strings.HasSuffix(action.Title, " (prune)"):
		return "prune"
	}
	return "safe"
}

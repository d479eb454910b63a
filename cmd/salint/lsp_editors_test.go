package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/test/golden"
)

// recipes returns the code blocks in a language of docs/editor.md.
func recipes(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile("../../docs/editor.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}

// runEditor runs an editor on a repository with one extension, until it has made all safe fixes. It returns the file, and what the editor
// printed.
func runEditor(t *testing.T, dir string, args ...string) (fixed, printed string) {
	t.Helper()
	program, err := exec.LookPath(args[0])
	if err != nil {
		t.Skipf("skipped: %s is not installed", args[0])
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "salint")); err != nil {
		t.Skipf("skipped: no symbolic links: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), program, args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return golden.ReadFolder(t, dir)["a.yaml"], string(out)
}

// fixedExtension is lspExtension after the safe fix.
var fixedExtension = strings.Replace(lspExtension, "  serviceAccount:\n    name: argocd-installer\n", "", 1)

// TestNeovim runs the recipe of docs/editor.md for Neovim: a diagnostic appears, and a code action fixes it.
func TestNeovim(t *testing.T) {
	t.Parallel()
	blocks := recipes(t, "lua")
	dir := lspFolder(t, map[string]string{"a.yaml": lspExtension, ".salint.yaml": "target: olm-1.11\n"})
	script := filepath.Join(t.TempDir(), "init.lua")
	const steps = `
vim.ui.select = function(items, _, choose) choose(items[1], 1) end
vim.cmd("edit a.yaml")
vim.bo.filetype = "yaml"
vim.wait(50000, function() return #vim.diagnostic.get(0) > 0 end)
print(vim.diagnostic.get(0)[1].message)
vim.api.nvim_win_set_cursor(0, {7, 3})
vim.lsp.buf.code_action({ context = { only = { "source.fixAll.salint" }, diagnostics = {} }, apply = true })
vim.wait(50000, function() return vim.api.nvim_buf_line_count(0) < 12 end)
vim.wait(50000, function() return #vim.diagnostic.get(0) == 0 end)
print(#vim.diagnostic.get(0) .. " left")
vim.cmd("write")
vim.cmd("qall!")
`
	if err := os.WriteFile(script, []byte(blocks[len(blocks)-1]+steps), 0o600); err != nil {
		t.Fatal(err)
	}
	fixed, printed := runEditor(t, dir, "nvim", "--headless", "-n", "-i", "NONE", "-u", "NONE", "-S", script)
	if fixed != fixedExtension || !strings.Contains(printed, "ClusterExtension argocd names ServiceAccount") || !strings.Contains(printed, "0 left") {
		t.Errorf("got %s\n%s", fixed, printed)
	}
}

// TestEmacs runs the recipe of docs/editor.md for Emacs: a diagnostic appears, and a code action fixes it.
func TestEmacs(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("emacs"); err != nil {
		t.Skip("skipped: emacs is not installed")
	}
	installed := exec.CommandContext(t.Context(), "emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot) (require 'yaml-mode))")
	if out, err := installed.CombinedOutput(); err != nil {
		t.Skipf("skipped: eglot or yaml-mode is not installed: %s", out)
	}
	dir := lspFolder(t, map[string]string{"a.yaml": lspExtension, ".salint.yaml": "target: olm-1.11\n"})
	script := filepath.Join(t.TempDir(), "init.el")
	const steps = `
(setq eglot-sync-connect t eglot-confirm-server-edits nil eglot-confirm-server-initiated-edits nil)
(defun wait-until (done) (let ((n 0)) (while (and (< n 500) (not (funcall done))) (setq n (1+ n)) (accept-process-output nil 0.1))))
(find-file "a.yaml")
(apply #'eglot (eglot--guess-contact)) ; what eglot-ensure does after a command, which a batch has none of
(wait-until #'eglot-managed-p)
(flymake-start)
(wait-until #'flymake-diagnostics)
(dolist (d (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text d)))
(eglot-code-actions (point-min) (point-max) "source.fixAll.salint" t)
(wait-until (lambda () (not (save-excursion (goto-char (point-min)) (search-forward "serviceAccount" nil t)))))
(save-buffer)
(eglot-shutdown (eglot-current-server))
`
	setup := "(package-initialize)\n(require 'yaml-mode)\n(require 'eglot)\n(add-to-list 'auto-mode-alist '(\"\\\\.yaml\\\\'\" . yaml-mode))\n"
	if err := os.WriteFile(script, []byte(setup+recipes(t, "elisp")[0]+steps), 0o600); err != nil {
		t.Fatal(err)
	}
	fixed, printed := runEditor(t, dir, "emacs", "--batch", "-l", script)
	if fixed != fixedExtension || !strings.Contains(printed, "ClusterExtension argocd names ServiceAccount") {
		t.Errorf("got %s\n%s", fixed, printed)
	}
}

// TestVSCodeSettings checks that the settings of the extension are those of the server, and that a folder that is not trusted cannot set
// the program.
func TestVSCodeSettings(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../editors/vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Capabilities struct {
			UntrustedWorkspaces struct{ RestrictedConfigurations []string }
		}
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Scope string }
			}
		}
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"salint.path", "salint.arguments", "salint.target", "salint.config"} {
		property, there := manifest.Contributes.Configuration.Properties[name]
		if !there {
			t.Errorf("no setting %s", name)
		}
		restricted := slices.Contains(manifest.Capabilities.UntrustedWorkspaces.RestrictedConfigurations, name)
		if starts := name == "salint.path" || name == "salint.arguments"; starts && (!restricted || property.Scope != "machine-overridable") {
			t.Errorf("%s: restricted %t, scope %s", name, restricted, property.Scope)
		}
	}
}

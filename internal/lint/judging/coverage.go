package judging

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/reading"
)

// Coverage says what of a repository was not checked.
type Coverage struct {
	Options  Options
	Snapshot *reading.Snapshot
}

// HiddenNote returns a note with the number of manifests that ignore rules hide, or "": a rule of one line can hide a repository. What
// `exclude` hides is expected, unless it is more than what is left.
func (c Coverage) HiddenNote() string {
	h, checked := c.Snapshot.Collection.Hidden, c.checkedFiles()
	if excluded := h.Excluded + h.ExcludedFolders; excluded <= checked {
		h.Excluded, h.ExcludedFolders = 0, 0
	}
	var parts []string
	for _, m := range c.matches(h) {
		parts = append(parts, m.what+" that "+m.by+" matches"+m.but)
	}
	if len(parts) == 0 {
		return ""
	}
	return "not checked because of ignore rules: " + strings.Join(parts, "; ")
}

// Unchecked returns why nothing was checked, or "" if anything was. Without ignore rules that hide something, the reason can be among
// the findings: files that cannot be read, and text that is no manifest.
func (c Coverage) Unchecked(findings int) string {
	if !c.hasActiveRule() {
		return "no rule is on, but those about what was read (salint rules lists all of them)"
	}
	isLeftOut := func(u loader.Unread) bool { return c.Snapshot.Dependencies[u.File] }
	if c.checkedFiles() > 0 || len(slices.DeleteFunc(slices.Clone(c.Snapshot.Collection.Unread), isLeftOut)) > 0 {
		return ""
	}
	var reasons []string
	if n := len(c.Snapshot.Dependencies); n > 0 {
		reasons = append(reasons, vendoredFiles(n, "manifest")+" ("+checkVendored+")")
	}
	for _, m := range c.matches(c.Snapshot.Collection.Hidden) {
		reasons = append(reasons, m.by+" matches "+m.what+m.but)
	}
	if len(reasons) == 0 && findings == 0 {
		return "no manifests found"
	}
	return strings.Join(reasons, "; ")
}

// hasActiveRule reports whether any rule about objects is on for any file. Without overrides, one file stands for all. With
// Only, the user has asked for the others.
func (c Coverage) hasActiveRule() bool {
	if len(c.Options.Only) > 0 {
		return true
	}
	files := c.Snapshot.Collection.Names
	if len(c.Options.Config.Overrides) == 0 || len(files) == 0 {
		files = []string{"manifest.yaml"}
	}
	for _, file := range files {
		set := c.Options.Config.For(file)
		for _, rule := range c.Options.Enabled {
			severity, ok := set.Severity(rule)
			if !strings.HasPrefix(rule, "repo/") && (!ok || severity != finding.Off || set.Floor(rule) != finding.Off || c.Options.Severities.enabledByFlag(rule, severity)) {
				return true
			}
		}
	}
	return false
}

// match is what one kind of ignore rules hides.
type match struct {
	by, what string
	but      string // what is unknown about it
}

// matches returns what ignore rules hide: those of git first, then those of the configuration.
func (c Coverage) matches(h repo.Hidden) []match {
	var all []match
	if h.Ignored > 0 {
		m := match{by: ".gitignore", what: words.Count(h.Ignored, "manifest")}
		if h.Unknown {
			m.but = " (git could not list the files that it tracks)"
		}
		all = append(all, m)
	}
	var excluded []string
	if h.Excluded > 0 {
		excluded = append(excluded, words.Count(h.Excluded, "manifest"))
	}
	if h.ExcludedFolders > 0 {
		excluded = append(excluded, words.Count(h.ExcludedFolders, "folder"))
	}
	if len(excluded) > 0 {
		all = append(all, match{by: c.excludeSetting(), what: strings.Join(excluded, " and ")})
	}
	return all
}

// excludeSetting names the settings that exclude files: the folders of bundles are not manifests of the repository.
func (c Coverage) excludeSetting() string {
	if len(c.Options.Bundles.Exclude()) > 0 {
		return "`exclude` or `bundles` of the configuration"
	}
	return "`exclude` of the configuration"
}

// checkedFiles returns the number of files that were read and are not salint's own, nor left out as dependencies.
func (c Coverage) checkedFiles() int {
	n := 0
	for _, name := range c.Snapshot.Collection.Names {
		if !c.Options.Walk.Own(name) && !c.Snapshot.Dependencies[name] {
			n++
		}
	}
	return n
}

// Vendored is the pattern of the files that [Coverage.DependenciesNote] counts.
const Vendored = "**/{vendor,node_modules}/**"

// DependenciesNote returns the note with the number of files in the paths of the command line that are left out as dependencies and hold
// something that rules judge; "" if there are none.
func (c Coverage) DependenciesNote() string {
	judged := map[string]bool{}
	for file := range c.Snapshot.Collection.Files {
		judged[file] = true
	}
	for _, u := range c.Snapshot.Unread() {
		judged[u.File] = true
	}
	n := 0
	for file := range c.Snapshot.Dependencies {
		if judged[file] && c.Options.Original.Selected(file) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "not checked: " + vendoredFiles(n, "file") + ", which nothing outside of them applies, as far as salint reads it: " + checkVendored
}

// Elsewhere is the number of applications in the reported files with sources in other repositories that were not read, and the number of those
// that no finding is about.
func (c Coverage) Elsewhere() (all, unmentioned int) {
	if c.Snapshot.Applications == nil {
		return 0, 0
	}
	reported := &Report{snapshot: c.Snapshot, options: c.Options}
	for _, a := range c.Snapshot.Applications.Elsewhere() {
		if !reported.Reported(a.Object.File) {
			continue
		}
		all++
		if c.Snapshot.Applications.Unmentioned[a.Definition()] {
			unmentioned++
		}
	}
	for name, file := range c.Snapshot.Collection.Files {
		if !reported.Reported(name) {
			continue
		}
		for _, doc := range file.Docs {
			if c.Snapshot.Decision(doc).Why == reading.AnonymousRelease {
				all, unmentioned = all+1, unmentioned+1
			}
		}
	}
	return all, unmentioned
}

// ElsewhereNote returns the note with that number, unless findings are about all of them; "" if there are none. The file is that of a
// workspace, or "".
func (c Coverage) ElsewhereNote(workspace string) string {
	n, unmentioned := c.Elsewhere()
	if unmentioned == 0 {
		return ""
	}
	among := ""
	if n > unmentioned {
		among = fmt.Sprintf(" (%d of them in findings)", n-unmentioned)
	}
	command := "salint build --list"
	if workspace != "" {
		command += " --workspace " + shell.Quote(workspace)
	}
	return "not checked: " + words.Count(n, "application") + " of Argo CD or Flux with objects from other repositories" + among + ": " + command + " names them"
}

const checkVendored = "pass a folder to check it, or set `vendored: true` in .salint.yaml"

func vendoredFiles(n int, what string) string {
	return words.Count(n, what) + " in folders named vendor or node_modules"
}

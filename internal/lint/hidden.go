package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/repo"
)

// hiddenNote returns a note with the number of manifests that ignore rules hide, or "": a rule of one line can hide a repository. What
// `exclude` hides is expected, unless it is more than what is left.
func (s *Session) hiddenNote() string {
	h, checked := s.snapshot.Collection.Hidden, s.checkedFiles()
	if excluded := h.Excluded + h.ExcludedFolders; excluded <= checked {
		h.Excluded, h.ExcludedFolders = 0, 0
	}
	var parts []string
	for _, m := range s.matches(h) {
		parts = append(parts, m.what+" that "+m.by+" matches"+m.but)
	}
	if len(parts) == 0 {
		return ""
	}
	return "not checked because of ignore rules: " + strings.Join(parts, "; ")
}

// unchecked returns why nothing was checked, or "" if anything was. Without ignore rules that hide something, the reason can be among
// the findings: files that cannot be read, and text that is no manifest.
func (s *Session) unchecked(findings int) string {
	if !s.hasActiveRule() {
		return "no rule is on, but those about what was read (salint rules lists all of them)"
	}
	isLeftOut := func(u loader.Unread) bool { return s.snapshot.Dependencies[u.File] }
	if s.checkedFiles() > 0 || len(slices.DeleteFunc(slices.Clone(s.snapshot.Collection.Unread), isLeftOut)) > 0 {
		return ""
	}
	var reasons []string
	if n := len(s.snapshot.Dependencies); n > 0 {
		reasons = append(reasons, vendoredFiles(n, "manifest")+" ("+checkVendored+")")
	}
	for _, m := range s.matches(s.snapshot.Collection.Hidden) {
		reasons = append(reasons, m.by+" matches "+m.what+m.but)
	}
	if len(reasons) == 0 && findings == 0 {
		return "no manifests found"
	}
	return strings.Join(reasons, "; ")
}

// hasActiveRule reports whether any rule about objects is on for any file. Without overrides, one file stands for all. With
// Only, the user has asked for the others.
func (s *Session) hasActiveRule() bool {
	if len(s.Only) > 0 {
		return true
	}
	files := s.snapshot.Collection.Names
	if len(s.Config.Overrides) == 0 || len(files) == 0 {
		files = []string{"manifest.yaml"}
	}
	for _, file := range files {
		set := s.Config.For(file)
		for _, rule := range s.enabled {
			severity, ok := set.Severity(rule)
			if !strings.HasPrefix(rule, "repo/") && (!ok || severity != finding.Off || s.enabledByFlag(rule)) {
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
func (s *Session) matches(h repo.Hidden) []match {
	var all []match
	if h.Ignored > 0 {
		m := match{by: ".gitignore", what: plural(h.Ignored, "manifest")}
		if h.Unknown {
			m.but = " (git could not list the files that it tracks)"
		}
		all = append(all, m)
	}
	var excluded []string
	if h.Excluded > 0 {
		excluded = append(excluded, plural(h.Excluded, "manifest"))
	}
	if h.ExcludedFolders > 0 {
		excluded = append(excluded, plural(h.ExcludedFolders, "folder"))
	}
	if len(excluded) > 0 {
		all = append(all, match{by: s.excludeSetting(), what: strings.Join(excluded, " and ")})
	}
	return all
}

// excludeSetting names the settings that exclude files: the folders of bundles are not manifests of the repository.
func (s *Session) excludeSetting() string {
	if len(s.Bundles.Exclude()) > 0 {
		return "`exclude` or `bundles` of the configuration"
	}
	return "`exclude` of the configuration"
}

// checkedFiles returns the number of files that were read and are not salint's own, nor left out as dependencies.
func (s *Session) checkedFiles() int {
	n := 0
	for _, name := range s.snapshot.Collection.Names {
		if !s.isOwn(name) && !s.snapshot.Dependencies[name] {
			n++
		}
	}
	return n
}

// ownPrefix begins the names of salint's files, such as .salint.yaml and .salint-baseline.json.
const ownPrefix = ".salint"

// isOwn reports whether a file is a configuration of salint or its baseline, which have the names of manifests.
func (s *Session) isOwn(file string) bool {
	return strings.HasPrefix(path.Base(file), ownPrefix) || file == s.BaselineFile
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

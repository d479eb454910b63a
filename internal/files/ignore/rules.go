package ignore

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rules are the rules of .gitignore and .helmignore files for the entries of a folder: its own and those of the folders above. The
// zero value has none.
type Rules struct {
	git  *gitRules
	helm *helmRules
}

// gitRules are the rules of one .gitignore, and those of the folders above.
type gitRules struct {
	above *gitRules
	base  string
	rules *ruleSet
	// file is the file that contains the rules.
	file string
}

// helmRules are the rules of one chart, and those of the charts that contain it.
type helmRules struct {
	above *helmRules
	base  string
	rules []helmRule
}

// WithGit adds the rules of a file in the notation of .gitignore, which count for the content of a folder.
func (i Rules) WithGit(folder, file string, data []byte) Rules {
	i.git = &gitRules{above: i.git, base: folder, rules: parseGitignore(data), file: file}
	return i
}

// WithHelm adds the rules of a chart: those of its .helmignore, and Helm's own. The error describes an invalid rule, with which Helm
// does not load the chart.
func (i Rules) WithHelm(folder string, data []byte) (Rules, error) {
	rules, err := parseHelmignore(data)
	i.helm = &helmRules{above: i.helm, base: folder, rules: rules}
	return i, err
}

// Git reports whether git ignores an entry. The caller asks about a folder before its entries, and not about the entries
// of an ignored folder, as git does.
func (i Rules) Git(p string, isDir bool) bool {
	rule, _ := i.gitRule(p, isDir)
	return rule != nil && !rule.negate
}

// GitRule returns the position of the rule with which git ignores an entry, under the conditions of Git.
func (i Rules) GitRule(p string, isDir bool) (place string, ignored bool) {
	rule, file := i.gitRule(p, isDir)
	if rule == nil || rule.negate {
		return "", false
	}
	return fmt.Sprintf("%s:%d", file, rule.line), true
}

// gitRule returns the rule that decides, and its file; nil if there is none.
func (i Rules) gitRule(p string, isDir bool) (rule *gitRule, file string) {
	for g := i.git; g != nil; g = g.above {
		if rule := g.rules.lastMatch(below(g.base, p), isDir); rule != nil {
			return rule, g.file
		}
	}
	return nil, ""
}

// Helm reports whether a chart leaves out an entry. The values with which its tests render it, ci/*-values.yaml, are no part of a package, and
// count although many charts leave them out.
func (i Rules) Helm(p string, isDir bool) bool {
	for h := i.helm; h != nil; h = h.above {
		if h.ignores(below(h.base, p), isDir) {
			return true
		}
	}
	return false
}

// testFolder is the folder of the values of a chart's tests.
const testFolder = "ci"

func (h *helmRules) ignores(p string, isDir bool) bool {
	inTests := path.Dir(p) == testFolder
	switch {
	case p == testFolder && isDir, inTests && !isDir && strings.HasSuffix(p, "-values.yaml"):
		return false
	case inTests && helmIgnores(h.rules, testFolder, true):
		return true
	}
	return helmIgnores(h.rules, p, isDir)
}

// below is the path relative to a folder that contains it.
func below(base, p string) string {
	if base == "." {
		return p
	}
	return p[len(base)+1:]
}

// lines returns the lines of an ignore file, without a byte order mark and carriage returns.
func lines(data []byte) []string {
	text := strings.TrimPrefix(string(data), "\ufeff")
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// Prefixes are the folders above a file, outermost first, and the file.
func Prefixes(file string) []string {
	all := []string{file}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}

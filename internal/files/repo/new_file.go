package repo

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Ignored reports whether git would ignore a file that does not exist yet, and the position of the rule: a commit of the
// changes would not contain the file.
func (r *Repo) Ignored(file string) (place string, is bool) {
	if r.GitRoot == "" {
		return "", false
	}
	rules := r.rootIgnores().git
	folder := "."
	for _, p := range prefixes(file) {
		name := path.Join(folder, ".gitignore")
		if data, err := readFile(r.root, name, maxIgnoreSize); err == nil {
			rules = &gitRules{above: rules, base: folder, rules: parseGitignore(data), file: name}
		}
		for g := rules; g != nil; g = g.above {
			rule := g.rules.lastMatch(below(g.base, p), p != file)
			if rule != nil && !rule.negate {
				return fmt.Sprintf("%s:%d", g.file, rule.line), true
			}
			if rule != nil {
				break
			}
		}
		folder = p
	}
	return "", false
}

// prefixes are the folders above a file, outermost first, and the file.
func prefixes(file string) []string {
	all := []string{file}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}

// Rules are lines in .gitignore notation about the content of a folder, as other programs read them to select files of a
// repository.
type Rules struct {
	base  string
	rules *ruleSet
}

// ParseRules reads such lines for a folder, "." for the root.
func ParseRules(data []byte, folder string) Rules {
	return Rules{folder, parseGitignore(data)}
}

// Decide finds the last line that matches a file or a folder above it. Unlike in git, a file in an excluded folder can be
// included again (github.com/go-git/go-git, plumbing/format/gitignore, which Flux asks file by file). Line counts from 1;
// it is 0 if no line matches.
func (r Rules) Decide(file string) (line int, ignored bool) {
	if r.base != "." && !strings.HasPrefix(file, r.base+"/") {
		return 0, false
	}
	rest := below(r.base, file)
	var last *gitRule
	for _, p := range prefixes(rest) {
		if rule := r.rules.lastMatch(p, p != rest); rule != nil && (last == nil || rule.line > last.line) {
			last = rule
		}
	}
	if last == nil {
		return 0, false
	}
	return last.line, !last.negate
}

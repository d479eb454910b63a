package ignore

import "strings"

// List is a list of lines in .gitignore notation about the content of a folder, as other programs read it to select files of a
// repository.
type List struct {
	base  string
	rules *ruleSet
}

// ParseList reads such lines for a folder, "." for the root.
func ParseList(data []byte, folder string) List {
	return List{folder, parseGitignore(data)}
}

// Decide finds the last line that matches a file or a folder above it. Unlike in git, a file in an excluded folder can be
// included again (github.com/go-git/go-git, plumbing/format/gitignore, which Flux asks file by file). Line counts from 1;
// it is 0 if no line matches.
func (l List) Decide(file string) (line int, ignored bool) {
	if l.base != "." && !strings.HasPrefix(file, l.base+"/") {
		return 0, false
	}
	rest := below(l.base, file)
	var last *gitRule
	for _, p := range Prefixes(rest) {
		if rule := l.rules.lastMatch(p, p != rest); rule != nil && (last == nil || rule.line > last.line) {
			last = rule
		}
	}
	if last == nil {
		return 0, false
	}
	return last.line, !last.negate
}

package repo

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Ignored tells of a file that is not there yet whether git would leave it out, and where the rule stands that says so:
// whoever commits the changes of a run would not commit it.
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
			rule := deciding(g.rules, below(g.base, p), p != file)
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

// prefixes are the folders on the way to a file, the outermost first, and the file.
func prefixes(file string) []string {
	all := []string{file}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		all = append(all, dir)
	}
	slices.Reverse(all)
	return all
}

// Rules are lines in the notation of .gitignore about what lies in a folder and below, as programs other than git read them
// that take files out of a repository.
type Rules struct {
	base  string
	rules []gitRule
}

// ParseRules reads such lines for a folder, "." for the root.
func ParseRules(data []byte, folder string) Rules {
	return Rules{folder, parseGitignore(data)}
}

// Decide finds the last line that matches a file or a folder above it. Unlike in git, a file can be brought back whose folder is
// left out (github.com/go-git/go-git, plumbing/format/gitignore, which Flux asks file by file). Line counts from 1; it is 0
// where no line matches.
func (r Rules) Decide(file string) (line int, ignored bool) {
	if r.base != "." && !strings.HasPrefix(file, r.base+"/") {
		return 0, false
	}
	rest := below(r.base, file)
	ways := prefixes(rest)
	for i := len(r.rules) - 1; i >= 0; i-- {
		for _, p := range ways {
			if deciding(r.rules[i:i+1], p, p != rest) != nil {
				return r.rules[i].line, !r.rules[i].negate
			}
		}
	}
	return 0, false
}

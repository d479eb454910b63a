package repo

import (
	"path"

	"github.com/salint/salint/internal/files/ignore"
	"github.com/salint/salint/internal/files/worktree"
)

// Ignored reports whether git would ignore a file that does not exist yet, and the position of the rule: a commit of the
// changes would not contain the file.
func (r *Repo) Ignored(file string) (place string, is bool) {
	if m, p := r.MemberOf(file); m != nil {
		return m.Repo.Ignored(p)
	}
	if r.GitRoot == "" {
		return "", false
	}
	rules := r.rootIgnores()
	folder := "."
	for _, p := range ignore.Prefixes(file) {
		name := path.Join(folder, ".gitignore")
		if data, err := worktree.ReadFile(r.Handle, name, maxIgnoreSize); err == nil {
			rules = rules.WithGit(folder, name, data)
		}
		if place, is := rules.GitRule(p, p != file); is {
			return place, true
		}
		folder = p
	}
	return "", false
}

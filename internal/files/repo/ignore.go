package repo

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// ignores are the rules of .gitignore and .helmignore files for the entries of a folder: its own and those of the folders
// above.
type ignores struct {
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

// matchGit reports whether git ignores an entry. The caller asks about a folder before its entries, and not about the entries
// of an ignored folder, as git does.
func (i ignores) matchGit(p string, isDir bool) bool {
	for g := i.git; g != nil; g = g.above {
		if ignored, decided := g.rules.decide(below(g.base, p), isDir); decided {
			return ignored
		}
	}
	return false
}

// matchHelm reports whether a chart leaves out an entry.
func (i ignores) matchHelm(p string, isDir bool) bool {
	for h := i.helm; h != nil; h = h.above {
		if helmIgnores(h.rules, below(h.base, p), isDir) {
			return true
		}
	}
	return false
}

// below is the path relative to a folder that contains it.
func below(base, p string) string {
	if base == "." {
		return p
	}
	return p[len(base)+1:]
}

// maxIgnoreSize limits how much of an ignore file is read.
const maxIgnoreSize = 1 << 20

// rootIgnores are the rules for the whole repository that are in none of its folders. The user's own rules
// (core.excludesFile) are not read, so that results do not depend on the user.
func (r *Repo) rootIgnores() ignores {
	if r.GitRoot == "" {
		return ignores{}
	}
	dir, ok := gitDir(r.GitRoot)
	if !ok {
		return ignores{}
	}
	exclude, ok := readLink(filepath.Join(commonGitDir(dir), "info", "exclude"), "")
	if !ok {
		return ignores{}
	}
	return ignores{git: &gitRules{base: ".", rules: parseGitignore([]byte(exclude)), file: ".git/info/exclude"}}
}

// addIgnores adds the rules in a folder to those of the folders above. An ignore file that cannot be read is reported, and
// the files that it excludes are read.
func (w *walker) addIgnores(f *folder, entries []fs.DirEntry) ignores {
	out := f.ignore
	if data, ok := w.ignoreFile(f, entries, ".gitignore"); ok {
		out.git = &gitRules{above: out.git, base: f.path, rules: parseGitignore(data)}
	}
	if !hasFile(entries, "Chart.yaml") {
		return out
	}
	data, _ := w.ignoreFile(f, entries, ".helmignore")
	rules, err := parseHelmignore(data)
	if err != nil {
		w.skip(path.Join(f.path, ".helmignore"), err.Error())
	}
	out.helm = &helmRules{above: out.helm, base: f.path, rules: rules}
	return out
}

func (w *walker) ignoreFile(f *folder, entries []fs.DirEntry, name string) ([]byte, bool) {
	if !hasFile(entries, name) {
		return nil, false
	}
	data, err := readFile(f.dir, name, maxIgnoreSize)
	if err != nil {
		w.skip(path.Join(f.path, name), reason(err))
	}
	return data, err == nil
}

// hasFile looks for a regular file: git does not follow a symlink of that name either.
func hasFile(entries []fs.DirEntry, name string) bool {
	for _, e := range entries {
		if e.Name() == name {
			return e.Type().IsRegular()
		}
	}
	return false
}

// lines returns the lines of an ignore file, without a byte order mark and carriage returns.
func lines(data []byte) []string {
	text := strings.TrimPrefix(string(data), "\ufeff")
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

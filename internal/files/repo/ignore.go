package repo

import (
	"io/fs"
	"path"

	"github.com/salint/salint/internal/files/ignore"
	"github.com/salint/salint/internal/files/worktree"
)

// maxIgnoreSize limits how much of an ignore file is read.
const maxIgnoreSize = 1 << 20

// rootIgnores are the rules for the whole repository that are in none of its folders. The user's own rules
// (core.excludesFile) are not read, so that results do not depend on the user.
func (r *Repo) rootIgnores() ignore.Rules {
	exclude, ok := r.Git.Exclude()
	if !ok {
		return ignore.Rules{}
	}
	return ignore.Rules{}.WithGit(".", ".git/info/exclude", []byte(exclude))
}

// addIgnores adds the rules in a folder to those of the folders above. An ignore file that cannot be read is reported, and
// the files that it excludes are read.
func (w *walker) addIgnores(f *folder, entries []fs.DirEntry) ignore.Rules {
	out := f.ignore
	if data, ok := w.ignoreFile(f, entries, ".gitignore"); ok {
		out = out.WithGit(f.path, ".gitignore", data)
	}
	if !hasFile(entries, "Chart.yaml") {
		return out
	}
	data, _ := w.ignoreFile(f, entries, ".helmignore")
	out, err := out.WithHelm(f.path, data)
	if err != nil {
		w.skip(path.Join(f.path, ".helmignore"), err.Error())
	}
	return out
}

func (w *walker) ignoreFile(f *folder, entries []fs.DirEntry, name string) ([]byte, bool) {
	if !hasFile(entries, name) {
		return nil, false
	}
	data, err := worktree.ReadFile(f.dir, name, maxIgnoreSize)
	if err != nil {
		w.skip(path.Join(f.path, name), worktree.Reason(err))
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

package repo

import (
	"io/fs"
	"path"
)

// maxIgnoreSize limits how much of an ignore file is read.
const maxIgnoreSize = 1 << 20

// rootIgnores are the rules for the whole repository that are in none of its folders. The user's own rules
// (core.excludesFile) are not read, so that results do not depend on the user.
func (r *Repo) rootIgnores() ignoreRules {
	exclude, ok := r.Git.Exclude()
	if !ok {
		return ignoreRules{}
	}
	return ignoreRules{}.WithGit(".", ".git/info/exclude", []byte(exclude))
}

// addIgnores adds the rules in a folder to those of the folders above. An ignore file that cannot be read is reported, and
// the files that it excludes are read.
func (w *walker) addIgnores(f *folder, entries []fs.DirEntry) ignoreRules {
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

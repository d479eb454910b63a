package worktree

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// spelling knows the names in the folders of a file system that takes several spellings of a name for one file, as those of Windows and
// macOS do. A path in another spelling leads to no file on Linux, where pipelines and clusters read the repository, so it leads to none
// here either.
type spelling struct {
	root string

	mu    sync.Mutex
	names map[string]map[string]bool // folder → the names in it
}

// newSpelling returns nil for the root of a file system on which a name has one spelling.
func newSpelling(root string) *spelling {
	if runtime.GOOS != "windows" && runtime.GOOS != "darwin" && !ignoresCase(root) {
		return nil
	}
	return &spelling{root: root, names: map[string]map[string]bool{}}
}

// ignoresCase reports whether the folder of git is found in another spelling.
func ignoresCase(root string) bool {
	one, err := os.Stat(filepath.Join(root, ".git"))
	if err != nil {
		return false
	}
	other, err := os.Stat(filepath.Join(root, ".GIT"))
	return err == nil && os.SameFile(one, other)
}

// check returns fs.ErrNotExist for a path that is spelled in another way than the files and folders to which it leads. Whether they exist
// is for the file system to say, and so is what is outside of the root.
func (s *spelling) check(p string) error {
	if s == nil || !filepath.IsLocal(filepath.FromSlash(p)) {
		return nil
	}
	dir := "."
	for name := range strings.SplitSeq(path.Clean(p), "/") {
		if name != "." && !s.has(dir, name) {
			return fs.ErrNotExist
		}
		dir = path.Join(dir, name)
	}
	return nil
}

// has reports whether a folder has a name. A name that it had not is looked for again, because a run creates files.
func (s *spelling) has(dir, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names[dir][name] {
		return true
	}
	entries, err := ReadDir(filepath.Join(s.root, filepath.FromSlash(dir)))
	if err != nil {
		return false
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	s.names[dir] = names
	return names[name]
}

package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Checkout is how the working tree differs from the index by the way in which it was checked out.
type Checkout struct {
	// LeftOut are the files and symbolic links with the skip-worktree bit that are not in the working tree: a sparse checkout leaves them
	// out. It cannot read them until Read is set.
	LeftOut *Tree
	// TextLinks are the other symbolic links of the index, if the checkout has symbolic links as text files (core.symlinks).
	TextLinks map[string]*File
	// Folded are the paths that differ from another one only in case, with that path, if the file system ignores case
	// (core.ignorecase). The working tree has one file for both.
	Folded map[string]string
}

// CheckWorkTree returns an error for a repository of which no file is checked out: a bare one, and a clone without a checkout. Without git
// there is nothing to check out.
func (r *Repository) CheckWorkTree(ctx context.Context) error {
	if !r.isWorkTree {
		if bare := bareRepositoryOf(r.root); bare != "" {
			return fmt.Errorf("%s is a bare repository, without files to read: run `git worktree add ../checkout`, then salint in that folder", bare)
		}
		return nil
	}
	if r.hasFiles() {
		return nil
	}
	if commit, err := r.query(ctx, "rev-parse", "--quiet", "--verify", "HEAD"); err != nil || commit == "" {
		return err // no commit yet
	}
	return fmt.Errorf("%s has no files checked out: run `git checkout`, then salint", r.root)
}

// hasFiles reports whether the work tree has files that are not hidden, or git an index for it: then files that are not there are deleted.
func (r *Repository) hasFiles() bool {
	dir, _ := r.gitDir()
	if _, err := os.Stat(filepath.Join(dir, "index")); err == nil {
		return true
	}
	entries, err := os.ReadDir(r.root)
	return err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") })
}

// Checkout asks git about the index, if something hints that the working tree lacks a part of it; nil without any: most checkouts are
// complete, and then no program is started.
func (r *Repository) Checkout(ctx context.Context) (*Checkout, error) {
	dir, ok := r.gitDir()
	if !ok {
		return nil, nil
	}
	isSparse := mayLeaveOut(dir)
	hasTextLinks, err := r.setting(ctx, dir, "core.symlinks", "false")
	if err != nil {
		return nil, err
	}
	isFolded, err := r.setting(ctx, dir, "core.ignorecase", "true")
	if err != nil || !isSparse && !hasTextLinks && !isFolded {
		return nil, err
	}
	listing, err := r.git(ctx, "ls-files", "-z", "-t", "--stage")
	if err != nil {
		return nil, err
	}
	c := &Checkout{LeftOut: NewTree(), TextLinks: map[string]*File{}, Folded: map[string]string{}}
	spelled, folders := map[string]string{}, map[string]bool{".": true}
	for entry := range bytes.SplitSeq(listing, []byte{0}) {
		name, file, e := indexEntry(string(entry))
		if file == nil {
			continue
		}
		isLeftOut := e.leftOut && r.isMissing(name, folders)
		switch {
		case isLeftOut && e.isLink:
			c.LeftOut.Links[name] = file
		case isLeftOut:
			c.LeftOut.Files[name] = file
			c.LeftOut.List(path.Dir(name), file)
		case e.isLink && hasTextLinks:
			c.TextLinks[name] = file
		}
		if isFolded {
			c.fold(spelled, name)
		}
	}
	return c, nil
}

// isMissing reports whether the working tree lacks a file. Folders caches which folders it has.
func (r *Repository) isMissing(name string, folders map[string]bool) bool {
	dir := path.Dir(name)
	has, known := folders[dir]
	if !known {
		has = !r.isMissing(dir, folders)
		folders[dir] = has
	}
	if !has {
		return true
	}
	_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
	return errors.Is(err, fs.ErrNotExist)
}

// entryKind is what matters of an entry of the index.
type entryKind struct{ leftOut, isLink bool }

// indexEntry reads an entry of the listing: <tag> SP <mode> SP <object> SP <stage> TAB <path>, see git-ls-files(1). The file is nil for
// other entries, such as submodules.
func indexEntry(entry string) (name string, f *File, kind entryKind) {
	about, name, _ := strings.Cut(entry, "\t")
	fields := strings.Fields(about)
	if len(fields) != 4 || !fs.ValidPath(name) || !strings.HasPrefix(fields[1], "1") || fields[1] == submoduleMode {
		return "", nil, entryKind{}
	}
	return name, &File{name: path.Base(name), Object: fields[2]}, entryKind{fields[0] == "S", fields[1] == symlinkMode}
}

// fold records a path, and each folder above it, that differs from another one only in case.
func (c *Checkout) fold(spelled map[string]string, name string) {
	for ; name != "."; name = path.Dir(name) {
		folded := strings.ToLower(name)
		other, known := spelled[folded]
		if !known {
			spelled[folded] = name
		}
		if known && other == name {
			return // with all folders above it
		}
		if known {
			c.Folded[name], c.Folded[other] = other, name
		}
	}
}

// indexHeader is the length of the header of an index: its signature and its version.
const indexHeader = 8

// mayLeaveOut reports whether the index can have entries with the skip-worktree bit. Version 2 of its format has no place for the bit
// (gitformat-index(5)), unless the index is split in two files.
func mayLeaveOut(gitDir string) bool {
	f, err := os.Open(filepath.Join(gitDir, "index"))
	if err != nil {
		return false
	}
	defer f.Close()
	header := make([]byte, indexHeader)
	if _, err := f.Read(header); err != nil || !bytes.HasPrefix(header, []byte("DIRC")) {
		return false
	}
	if header[7] != 2 {
		return true
	}
	shared, _ := filepath.Glob(filepath.Join(gitDir, "sharedindex.*")) // the pattern is valid
	return len(shared) > 0
}

// setting reports whether a setting of git has a value. git is asked only if the file with the settings of the repository has the word:
// git writes there what it finds out about the file system.
func (r *Repository) setting(ctx context.Context, gitDir, name, value string) (bool, error) {
	_, word, _ := strings.Cut(name, ".")
	files := []string{filepath.Join(commonGitDir(gitDir), "config"), filepath.Join(gitDir, "config.worktree")}
	for _, file := range files {
		if bytes.Contains(bytes.ToLower(readSmall(file, maxConfigSize)), []byte(word)) {
			got, err := r.query(ctx, "config", "--type=bool", "--get", name)
			if err != nil {
				return false, fmt.Errorf("%s: %w", name, err)
			}
			return got == value, nil
		}
	}
	return false, nil
}

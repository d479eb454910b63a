package git

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/salint/salint/internal/files/worktree"
)

// BaseFS returns the whole tree as it was at the commit that Changed compares with. Files are fetched from git when they
// are opened; symlinks and submodules are left out. The error is that of Changed.
func (r *Repository) BaseFS(ctx context.Context, rev string) (fs.FS, error) {
	base, err := r.Base(ctx, rev)
	if err != nil {
		return nil, err
	}
	tree, err := r.Tree(ctx, base)
	if err != nil {
		return nil, err
	}
	tree.Read = func(object string) ([]byte, error) { return r.git(ctx, "cat-file", "blob", object) }
	return tree, nil
}

// Tree lists the files of a commit. The result cannot read them until Read is set.
func (r *Repository) Tree(ctx context.Context, commit string) (*Tree, error) {
	listing, err := r.git(ctx, "ls-tree", "-r", "-z", "--long", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	tree := NewTree()
	for entry := range bytes.SplitSeq(listing, []byte{0}) {
		tree.add(string(entry))
	}
	return tree, nil
}

// NewTree returns a tree without files.
func NewTree() *Tree {
	return &Tree{
		Files: map[string]*File{}, Links: map[string]*File{}, Modules: map[string]string{},
		folders: map[string][]fs.DirEntry{".": nil},
	}
}

// Tree is the tree of a commit. As a file system it has only the regular files.
type Tree struct {
	Files map[string]*File
	// Links are the symlinks, whose content is the target, and Modules the submodules with their commits.
	Links   map[string]*File
	Modules map[string]string
	// Read returns the content of an object.
	Read func(object string) ([]byte, error)

	folders map[string][]fs.DirEntry
}

// add adds an entry of the listing: <mode> SP <type> SP <object> SP <size> TAB <path>, see git-ls-tree(1).
func (t *Tree) add(entry string) {
	about, name, _ := strings.Cut(entry, "\t")
	fields := strings.Fields(about)
	if len(fields) != 4 || !fs.ValidPath(name) {
		return
	}
	if fields[1] == "commit" {
		t.Modules[name] = fields[2]
		return
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	if err != nil || fields[1] != "blob" {
		return
	}
	file := &File{name: path.Base(name), Object: fields[2], size: size}
	if fields[0] == symlinkMode {
		t.Links[name] = file
		return
	}
	t.Files[name] = file
	t.List(path.Dir(name), file)
}

const symlinkMode = "120000"

// List adds an entry to its folder, and a new folder to its parent.
func (t *Tree) List(dir string, entry fs.FileInfo) {
	_, known := t.folders[dir]
	t.folders[dir] = append(t.folders[dir], fs.FileInfoToDirEntry(entry))
	if !known {
		t.List(path.Dir(dir), Folder(path.Base(dir)))
	}
}

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if t.HasFolder(name) {
		return &openFolder{Folder: Folder(path.Base(name)), entries: t.Entries(name)}, nil
	}
	file := t.Files[name]
	if file == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFile{File: file, read: t.Read}, nil
}

// HasFolder reports whether there is a folder.
func (t *Tree) HasFolder(name string) bool { _, is := t.folders[name]; return is }

// Entries returns the entries of a folder, sorted by name.
func (t *Tree) Entries(folder string) []fs.DirEntry {
	entries := slices.Clone(t.folders[folder])
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// File is a file that git lists. It has no modification time.
type File struct {
	name string
	// Object is the name of the content.
	Object string
	size   int64
}

func (f *File) Name() string     { return f.name }
func (f *File) Size() int64      { return f.size }
func (*File) Mode() fs.FileMode  { return 0o444 }
func (*File) ModTime() time.Time { return time.Time{} }
func (*File) IsDir() bool        { return false }
func (*File) Sys() any           { return nil }

// Folder is a folder that git lists. It has no modification time.
type Folder string

func (f Folder) Name() string     { return string(f) }
func (Folder) Size() int64        { return 0 }
func (Folder) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (Folder) ModTime() time.Time { return time.Time{} }
func (Folder) IsDir() bool        { return true }
func (Folder) Sys() any           { return nil }

// ReadDir lists a folder, as fs.ReadDirFS defines.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if !t.HasFolder(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return t.Entries(name), nil
}

// openFile fetches its content with the first read.
type openFile struct {
	*File
	read    func(object string) ([]byte, error)
	content *bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.File, nil }
func (f *openFile) Close() error               { return nil }

func (f *openFile) Read(p []byte) (int, error) {
	if f.content == nil {
		if f.size > worktree.DefaultMaxFileSize {
			return 0, fmt.Errorf("%s has %d bytes at the base revision, over the limit of %d", f.name, f.size, worktree.DefaultMaxFileSize)
		}
		data, err := f.read(f.Object)
		if err != nil {
			return 0, err
		}
		f.content = bytes.NewReader(data)
	}
	return f.content.Read(p)
}

type openFolder struct {
	Folder
	entries []fs.DirEntry
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.Folder, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.Name(), Err: fs.ErrInvalid}
}

// ReadDir returns the next n entries, or all remaining ones if n <= 0, as fs.ReadDirFile defines.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	entries := f.entries[:n]
	f.entries = f.entries[n:]
	return entries, nil
}

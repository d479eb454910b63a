package regular

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a folder that has to be closed.
type Dir interface {
	fs.FS
	Close() error
}

// ErrNotFolder reports a file where a folder is expected.
var ErrNotFolder = errors.New("not a folder")

// Folder is a file system of the regular files in a folder. It has to be closed.
type Folder struct {
	root  *os.Root
	sub   string
	limit int64
}

// OpenFolder opens a folder that lies anywhere. Files above limit bytes cannot be read.
func OpenFolder(dir string, limit int64) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if info, statErr := os.Stat(dir); err != nil && statErr == nil && !info.IsDir() {
		return nil, ErrNotFolder
	}
	if err != nil {
		return nil, Cause(err)
	}
	return &Folder{root, ".", limit}, nil
}

// FolderOf returns the folder of a root, which stays the caller's to close.
func FolderOf(root *os.Root, limit int64) *Folder { return &Folder{root, ".", limit} }

// OpenFolderIn opens a folder in another one, of which sub is the path with slashes. Symlinks that stay in the outer folder
// are followed.
func OpenFolderIn(dir, sub string, limit int64) (*Folder, error) {
	f, err := OpenFolder(dir, limit)
	if err != nil {
		return nil, err
	}
	f.sub = sub
	if _, err := f.ReadDir("."); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Open implements fs.FS. Only folders and regular files can be opened.
func (f *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(f.place(name), flags, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: Cause(err)}
	}
	info, err := file.Stat()
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = ErrKind
	}
	if err == nil && info.Mode().IsRegular() && info.Size() > f.limit {
		err = &SizeError{info.Size(), f.limit}
	}
	if err != nil {
		file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: Cause(err)}
	}
	return file, nil
}

// ReadFile implements fs.ReadFileFS.
func (f *Folder) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	data, err := ReadIn(f.root, f.place(name), f.limit)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// Stat implements fs.StatFS, without opening the file.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.root.Stat(f.place(name))
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: Cause(err)}
	}
	return info, nil
}

// Lstat implements fs.ReadLinkFS: a symbolic link is described as such.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrInvalid}
	}
	info, err := f.root.Lstat(f.place(name))
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: Cause(err)}
	}
	return info, nil
}

// ReadLink implements fs.ReadLinkFS: it returns the target of a symbolic link.
func (f *Folder) ReadLink(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	target, err := f.root.Readlink(f.place(name))
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: Cause(err)}
	}
	return filepath.ToSlash(target), nil
}

// ReadDir implements fs.ReadDirFS. Like the rest, it does not wait for a pipe.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	dir, err := f.root.OpenFile(f.place(name), flags, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: Cause(err)}
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: Cause(err)}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (f *Folder) place(name string) string { return filepath.FromSlash(path.Join(f.sub, name)) }

package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/salint/salint/internal/kube/rendered"
)

// Limits of what is read. The largest published bundles have about a hundred files, and manifests of a few megabytes. A
// container image for a cluster can contain more than a pull request should make a linter read.
const (
	maxFileSize  = 32 << 20
	maxTotalSize = 128 << 20
	maxFiles     = 2000
)

// reader reads files of a tree within the limits.
type reader struct {
	fsys        fs.FS
	files, size int
}

func newReader(fsys fs.FS) *reader { return &reader{fsys: fsys} }

// manifests reads every file of a folder, in the order of their names. The format has no nested folders.
func (r *reader) manifests(dir string) ([]rendered.Object, error) {
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	var objects []rendered.Object
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if entry.IsDir() {
			return nil, &UnsupportedError{File: name, Reason: fmt.Sprintf(
				"subdirectories are not allowed within the %q directory of the bundle image filesystem: found %q",
				manifestsDir, path.Join(manifestsDir, entry.Name()))}
		}
		data, err := r.file(name, entry)
		if err != nil {
			return nil, err
		}
		more, err := decodeFile(name, data)
		if err != nil {
			return nil, err
		}
		objects = append(objects, more...)
	}
	return objects, nil
}

// file reads one file. Symlinks are refused, because a review does not show their target.
func (r *reader) file(name string, entry fs.DirEntry) ([]byte, error) {
	if !entry.Type().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file (%s); replace it with its content", name, kindOfFile(entry.Type()))
	}
	if r.files++; r.files > maxFiles {
		return nil, fmt.Errorf("%s: the bundle has more than %d files; pass the folder of one bundle", name, maxFiles)
	}
	data, err := readLimited(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if r.size += len(data); r.size > maxTotalSize {
		return nil, fmt.Errorf("%s: the bundle has more than %d MiB; pass the folder of one bundle", name, maxTotalSize>>20)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s: a binary file; a bundle contains only YAML and JSON", name)
	}
	return data, nil
}

// optional reads a file that can be missing; its bytes are then nil.
func (r *reader) optional(name string) ([]byte, error) {
	entries, err := fs.ReadDir(r.fsys, path.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, entry := range entries {
		if entry.Name() == path.Base(name) {
			return r.file(name, entry)
		}
	}
	return nil, nil
}

func readLimited(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxFileSize {
		return nil, fmt.Errorf("%s: larger than the limit of %d MiB", name, maxFileSize>>20)
	}
	return data, nil
}

func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeDir != 0:
		return "a folder"
	default:
		return "a special file"
	}
}

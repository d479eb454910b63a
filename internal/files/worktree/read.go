package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
)

// SizeError reports a file above the limit of the configuration.
type SizeError struct{ *regular.SizeError }

func (e *SizeError) Error() string { return e.SizeError.Error() + " (limits.fileSize)" }

// ReadFile reads a regular file below dir, of at most limit bytes. It never blocks.
func ReadFile(dir *os.Root, name string, limit int64) ([]byte, error) {
	return Limited(regular.ReadIn(dir, name, limit))
}

func Limited(data []byte, err error) ([]byte, error) {
	var size *regular.SizeError
	if errors.As(err, &size) {
		return nil, &SizeError{size}
	}
	return data, err
}

// textHead is how much of a file decides whether it is text.
const textHead = 8000

// Text returns the bytes of a file as Read does, or nil for a binary file of any size.
func (t *Tree) Text(p string) ([]byte, error) {
	real, err := t.Resolve(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	head, err := regular.ReadHeadIn(t.Handle, filepath.FromSlash(real), textHead)
	if errors.Is(err, fs.ErrNotExist) {
		head, err = t.readOverlay(real, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	if IsBinary(head) {
		return nil, nil
	}
	return t.Read(p)
}

// IsBinary reports whether a file is binary: it has a zero byte near its start and is not marked as UTF-16.
func IsBinary(data []byte) bool {
	marked := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff"))
	return bytes.IndexByte(data[:min(len(data), textHead)], 0) >= 0 && !marked
}

// Reason describes for the user why something could not be read.
func Reason(err error) string {
	var size *SizeError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	case errors.Is(err, fs.ErrNotExist):
		return "it was deleted while the repository was read"
	case errors.As(err, &size):
		return size.Error()
	}
	return regular.Cause(err).Error()
}

// ReadDir lists a folder by its path, because a list read through os.Root requests the attributes of every entry, which
// takes as long as reading them. Only names come from the list: files and folders are opened through the folder's own
// handle.
func ReadDir(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
)

// sizeError reports a file above the limit of the configuration.
type sizeError struct{ *regular.SizeError }

func (e *sizeError) Error() string { return e.SizeError.Error() + " (limits.fileSize)" }

// readFile reads a regular file below dir, of at most limit bytes. It never blocks.
func readFile(dir *os.Root, name string, limit int64) ([]byte, error) {
	return sized(regular.ReadIn(dir, name, limit))
}

func sized(data []byte, err error) ([]byte, error) {
	var size *regular.SizeError
	if errors.As(err, &size) {
		return nil, &sizeError{size}
	}
	return data, err
}

// textHead is how much of a file decides whether it is text.
const textHead = 8000

// Text returns the bytes of a file as Read does, or nil for a binary file of any size: one with a zero byte near its start
// that is not marked as UTF-16.
func (r *Repo) Text(p string) ([]byte, error) {
	real, err := r.resolve(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	head, err := regular.ReadHeadIn(r.root, filepath.FromSlash(real), textHead)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	marked := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	if bytes.IndexByte(head, 0) >= 0 && !marked {
		return nil, nil
	}
	return r.Read(p)
}

// reason describes for the user why something could not be read.
func reason(err error) string {
	var size *sizeError
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

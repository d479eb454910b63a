package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var errNotRegular = errors.New("not a regular file")

// sizeError reports a file that is too large to be read.
type sizeError struct{ size, limit int64 }

func (e *sizeError) Error() string {
	return fmt.Sprintf("%s, over the limit of %s (limits.fileSize)", bytesText(e.size), bytesText(e.limit))
}

// bytesText formats a size in the largest unit that keeps the number at 1 or above.
func bytesText(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	unit, names := float64(1<<10), []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for i := range names {
		if next := unit * (1 << 10); i == len(names)-1 || float64(n) < next {
			return fmt.Sprintf("%.4g %s", float64(n)/unit, names[i])
		}
		unit *= 1 << 10
	}
	return ""
}

// readFile reads a regular file below dir. It never blocks: if a pipe has replaced a file that was just seen, it is opened
// without blocking and rejected.
func readFile(dir *os.Root, name string, limit int64) ([]byte, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if info.Size() > limit {
		return nil, &sizeError{info.Size(), limit}
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cause(err)
	}
	return data[:n], nil
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
	head, err := readHead(r.root, filepath.FromSlash(real))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	marked := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	if bytes.IndexByte(head, 0) >= 0 && !marked {
		return nil, nil
	}
	return r.Read(p)
}

func readHead(dir *os.Root, name string) ([]byte, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	head := make([]byte, min(info.Size(), textHead))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cause(err)
	}
	return head[:n], nil
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
	return cause(err).Error()
}

package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrKind reports a file that is neither regular nor a folder, such as a pipe.
var ErrKind = errors.New("not a regular file")

// SizeError reports a file that is too large to be read. Both values are in bytes.
type SizeError struct{ Size, Limit int64 }

// Error formats both sizes in the largest unit that keeps the number at 1 or above.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s, over the limit of %s", bytesText(e.Size), bytesText(e.Limit))
}

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

// flags make opening a pipe return at once instead of waiting for its other end: a pipe can replace a file that was just seen.
const flags = os.O_RDONLY | syscall.O_NONBLOCK

// ReadFile reads a file that lies anywhere, of at most limit bytes. Symlinks are followed. The error is ErrKind, a
// *SizeError, or the error of the system; it does not name the file.
func ReadFile(file string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(file, flags, 0)
	return read(f, err, limit)
}

// ReadIn is ReadFile for a file in a folder. A symlink that leaves the folder is an error of the system.
func ReadIn(dir *os.Root, name string, limit int64) ([]byte, error) {
	f, err := dir.OpenFile(name, flags, 0)
	return read(f, err, limit)
}

// ReadHeadIn reads the first bytes of a file in a folder, whatever its size.
func ReadHeadIn(dir *os.Root, name string, n int64) ([]byte, error) {
	f, err := dir.OpenFile(name, flags, 0)
	if err != nil {
		return nil, Cause(err)
	}
	defer f.Close()
	if _, err := check(f); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, n))
	return data, Cause(err)
}

func read(f *os.File, err error, limit int64) ([]byte, error) {
	if err != nil {
		return nil, Cause(err)
	}
	defer f.Close()
	size, err := check(f)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, &SizeError{size, limit}
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, Cause(err)
	}
	return data[:n], nil
}

// check returns the size of an opened file if it is a regular one.
func check(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, Cause(err)
	}
	if !info.Mode().IsRegular() {
		return 0, ErrKind
	}
	return info.Size(), nil
}

// errMissing has the words of the other messages about paths that do not exist.
var errMissing error = missingError{}

type missingError struct{}

func (missingError) Error() string        { return "no such file or folder" }
func (missingError) Is(target error) bool { return target == fs.ErrNotExist }

// Cause removes the operation and the path from a system error: messages name the path themselves, as the user wrote it.
func Cause(err error) error {
	var pathErr *os.PathError
	var linkErr *os.LinkError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errMissing
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	}
	return err
}

package commit

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// exchange swaps two files of a folder in one step. The error is errors.ErrUnsupported where the kernel or the file system
// cannot do it.
func exchange(root *os.Root, a, b string) error {
	dirA, err := root.Open(filepath.FromSlash(path.Dir(a)))
	if err != nil {
		return err
	}
	defer dirA.Close()
	dirB, err := root.Open(filepath.FromSlash(path.Dir(b)))
	if err != nil {
		return err
	}
	defer dirB.Close()
	err = unix.Renameat2(int(dirA.Fd()), path.Base(a), int(dirB.Fd()), path.Base(b), unix.RENAME_EXCHANGE)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}

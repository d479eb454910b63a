//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commit

import (
	"errors"
	"os"
	"slices"
	"syscall"
)

// lockFile locks a file until it is closed, or its process ends. It fails if another process holds the lock. On a file system without
// locks it does nothing, as on systems without them.
func lockFile(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case lacksLocks(err):
			return nil
		default:
			return err
		}
	}
}

// lacksLocks reports whether an error of flock(2) is that of a file system without locks, such as NFSv3 without lockd, Lustre without its
// option flock, and some of FUSE.
func lacksLocks(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOLCK, syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP}, func(other error) bool {
		return errors.Is(err, other)
	})
}

// isInUse is false: these systems replace and remove files that other programs hold open.
func isInUse(error) bool { return false }

// heldOpen is nil for the same reason.
func heldOpen(string) error { return nil }

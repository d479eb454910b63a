//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commit

import (
	"os"
	"syscall"
)

// lockFile locks a file until it is closed, or its process ends. It fails if another process holds the lock.
func lockFile(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return err
		}
	}
}

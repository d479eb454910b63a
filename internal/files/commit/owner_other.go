//go:build !unix

package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner does nothing: on this system a new file gets its owner from its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// sameDevice is true: a move to another volume fails, and is then repeated from a folder beside the target.
func sameDevice(fs.FileInfo, fs.FileInfo) bool { return true }

// otherDevice is ERROR_NOT_SAME_DEVICE of Windows.
const otherDevice = syscall.Errno(17)

// isOtherDevice reports whether a move failed because its ends are on different volumes.
func isOtherDevice(err error) bool { return errors.Is(err, otherDevice) }

// hardLinks is 1: the number of names of a file is not known on this system.
func hardLinks(fs.FileInfo) uint64 { return 1 }

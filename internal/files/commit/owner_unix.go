//go:build unix

package commit

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives the file the owner of the file it replaces: a run as root, as in many containers, must not take files
// away from the user. If that is not allowed, the file belongs to the user who runs salint, as with any editor.
func keepOwner(f *os.File, replaced fs.FileInfo) error {
	old, ok := replaced.Sys().(*syscall.Stat_t)
	if !ok || int(old.Uid) == os.Geteuid() && int(old.Gid) == os.Getegid() {
		return nil
	}
	if err := f.Chown(int(old.Uid), int(old.Gid)); err != nil && !os.IsPermission(err) {
		return err
	}
	return nil
}

// sameDevice reports whether two files are on one file system, as far as the system tells.
func sameDevice(a, b fs.FileInfo) bool {
	x, okX := a.Sys().(*syscall.Stat_t)
	y, okY := b.Sys().(*syscall.Stat_t)
	return !okX || !okY || x.Dev == y.Dev
}

// isOtherDevice reports whether a move failed because its ends are on different file systems.
func isOtherDevice(err error) bool { return errors.Is(err, otherDevice) }

const otherDevice = syscall.EXDEV

// hardLinks returns the number of names of a file.
func hardLinks(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

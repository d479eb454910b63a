//go:build unix

package repo

import (
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

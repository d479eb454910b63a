//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to the user who runs salint.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// othersWrite reports whether other users can write to a file.
func othersWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

// isEntryFile reports whether a file is one that this package wrote: a file that git checks out has another mode.
func isEntryFile(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode() == 0o600 && stat.Nlink == 1 && isOwn(info)
}

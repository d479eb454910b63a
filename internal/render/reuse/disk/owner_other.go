//go:build !unix

package disk

import "io/fs"

// isOwn is true: on this system, the permissions of the folder decide who can write to it.
func isOwn(fs.FileInfo) bool { return true }

func othersWrite(fs.FileInfo) bool { return false }

func isEntryFile(info fs.FileInfo) bool { return info.Mode().IsRegular() }

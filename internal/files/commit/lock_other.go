//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package commit

import "os"

// lockFile does nothing: on this system, two runs that fix one repository at the same time can remove each other's temporary
// files, and then report it.
func lockFile(*os.File) error { return nil }

// isInUse is false: it is not known which errors say that another program holds a file open.
func isInUse(error) bool { return false }

// heldOpen is nil for the same reason.
func heldOpen(string) error { return nil }

package commit

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks a file until it is closed, or its process ends. It fails if another process holds the lock. On a file system without
// locks it does nothing.
func lockFile(f *os.File) error {
	// The byte that is locked lies far behind the end of the file, so that nothing which reads the file waits.
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
		return nil
	}
	return err
}

// isInUse reports whether an operation failed because another program holds a file open. Replacing such a file is also refused as a lack
// of access.
func isInUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// heldOpen returns an error if another program holds a file open in a way that keeps it from being replaced or removed.
func heldOpen(file string) error {
	name, err := windows.UTF16PtrFromString(file)
	if err != nil {
		return err
	}
	const all = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.DELETE, all, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return err
	}
	return windows.CloseHandle(handle)
}

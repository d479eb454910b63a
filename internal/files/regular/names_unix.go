//go:build unix

package regular

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Names reads files of a folder by their names, with fewer system calls than ReadIn: os.File prepares each file for waiting, which no
// regular file needs. It is safe for concurrent use, and has to be closed.
type Names struct {
	root *os.Root
	dir  *os.File // nil if only ReadIn can read
	fd   int
}

// OpenNames opens a folder, which stays the caller's to close, after the Names.
func OpenNames(root *os.Root) *Names {
	dir, err := root.Open(".")
	if err != nil {
		return &Names{root: root}
	}
	return &Names{root: root, dir: dir, fd: int(dir.Fd())}
}

// Close releases the folder.
func (n *Names) Close() {
	if n.dir != nil {
		n.dir.Close()
	}
}

// Read is ReadIn for a name without a separator. Whatever is no regular file within the limit is left to ReadIn, such as a symlink.
func (n *Names) Read(name string, limit int64) ([]byte, error) {
	if n.dir != nil {
		if data, ok := readAt(n.fd, name, limit); ok {
			return data, nil
		}
	}
	return ReadIn(n.root, name, limit)
}

func readAt(dir int, name string, limit int64) (data []byte, ok bool) {
	fd, err := retried(func() (int, error) {
		return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, false
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG || info.Size > limit {
		return nil, false
	}
	data = make([]byte, info.Size)
	for at := 0; at < len(data); {
		n, err := retried(func() (int, error) { return unix.Read(fd, data[at:]) })
		if err != nil {
			return nil, false
		}
		if n == 0 { // shorter than a moment ago
			return data[:at], true
		}
		at += n
	}
	return data, true
}

// retried repeats a system call that a signal interrupts.
func retried(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

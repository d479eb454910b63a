//go:build unix

package regular

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Names reads files of a folder by their names, with fewer system calls than ReadIn: os.File prepares each file for waiting, which no
// regular file needs. One goroutine uses it, and has to close it.
type Names struct {
	root  *os.Root
	dir   *os.File // nil if only ReadIn can read
	fd    int
	spare []byte // memory for the next file
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
		if data, ok := n.readAt(name, limit); ok {
			n.spare = nil
			return data, nil
		}
	}
	return ReadIn(n.root, name, limit)
}

// Reuse takes back the bytes of a file that is no longer used. They are cleared, so that a mistake shows no other file.
func (n *Names) Reuse(data []byte) {
	clear(data)
	n.spare = data
}

func (n *Names) readAt(name string, limit int64) (data []byte, ok bool) {
	fd, err := retried(func() (int, error) {
		return unix.Openat(n.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, false
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG || info.Size > limit {
		return nil, false
	}
	data = n.memory(int(info.Size))
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

// memory returns so many bytes with any content.
func (n *Names) memory(size int) []byte {
	if n.spare != nil && size <= cap(n.spare) {
		return n.spare[:size]
	}
	return make([]byte, size)
}

// retried repeats a system call that a signal interrupts.
func retried(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

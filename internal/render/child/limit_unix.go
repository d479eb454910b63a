//go:build unix && !linux

package child

import "syscall"

// limitProcess has the kernel refuse every new file, connection and process, all of which need a file descriptor. Memory
// has only the limit of Go's collector here: these kernels do not count what a process maps.
func limitProcess(int64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{})
}

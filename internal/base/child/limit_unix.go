//go:build unix && !linux

package child

import "syscall"

// limitProcess makes the kernel refuse all new files, connections and processes, which need a file descriptor. Only Go's
// garbage collector limits the memory, because these kernels do not count mapped memory.
func limitProcess(int64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{})
}

package child

import "syscall"

// addressRoom is what Go reserves of the address space without using it, and then some.
const addressRoom = 4 << 30

// limitProcess has the kernel refuse memory above the limit, which ends this process, and every new file, connection and
// process, all of which need a file descriptor. What cannot be set stays as it is: the parent still keeps the time.
func limitProcess(memory int64) {
	limit := func(resource int, value uint64) {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
	}
	limit(syscall.RLIMIT_DATA, uint64(memory))
	limit(syscall.RLIMIT_AS, uint64(memory)+addressRoom)
	limit(syscall.RLIMIT_CORE, 0)
	limit(syscall.RLIMIT_NOFILE, 0)
}

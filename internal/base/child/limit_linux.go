package child

import "syscall"

// addressRoom is more than the address space that Go reserves without using it.
const addressRoom = 4 << 30

// limitProcess makes the kernel refuse memory above the limit, which ends this process, and all new files, connections and
// processes, which need a file descriptor. Limits that cannot be set are skipped: the parent still limits the time.
func limitProcess(memory int64) {
	limit := func(resource int, value uint64) {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
	}
	if !RaceDetector {
		limit(syscall.RLIMIT_DATA, uint64(memory))
		limit(syscall.RLIMIT_AS, uint64(memory)+addressRoom)
	}
	limit(syscall.RLIMIT_CORE, 0)
	limit(syscall.RLIMIT_NOFILE, 0)
}

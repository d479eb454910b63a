package child

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// spareAddresses is more than the address space that Go reserves beyond the memory that it then uses: parts of an arena of 64 MiB.
const spareAddresses = 256 << 20

// limitProcess makes the kernel refuse memory above the limit, which ends this process, and all new files, connections and
// processes, which need a file descriptor. Limits that cannot be set are skipped: the parent still limits the time.
//
// Memory needs two limits. Go first reserves addresses and then maps memory to them. The kernel does not apply the limit of data to
// such a mapping, only to those after it: one large object would pass. The limit of addresses refuses its reservation.
func limitProcess(memory int64) {
	limit := func(resource int, value uint64) {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
	}
	if !RaceDetector {
		limit(syscall.RLIMIT_DATA, uint64(memory))
		limit(syscall.RLIMIT_AS, reservedAddresses()+uint64(memory)+spareAddresses)
	}
	limit(syscall.RLIMIT_CORE, 0)
	limit(syscall.RLIMIT_NOFILE, 0)
}

// reservedAddresses returns the size of the address space that Go has reserved so far, most of which it does not use. Without
// /proc, it is more than that.
func reservedAddresses() uint64 {
	const unknown = 4 << 30
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return unknown
	}
	pages, _, _ := strings.Cut(string(data), " ")
	count, err := strconv.ParseUint(pages, 10, 64)
	if err != nil {
		return unknown
	}
	return count * uint64(os.Getpagesize())
}

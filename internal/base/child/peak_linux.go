package child

import (
	"os"
	"syscall"
)

// peak returns the greatest amount of memory that a process had in use, in bytes.
func peak(state *os.ProcessState) (used int64, known bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return usage.Maxrss << 10, true
}

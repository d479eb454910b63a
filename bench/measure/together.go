//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// samplePeriod is how often the memory of all processes is read.
const samplePeriod = 20 * time.Millisecond

// watchMemory records the largest memory of a process and all that it starts, until done is closed: their proportional set sizes, in
// which shared pages are divided among those that share them.
func watchMemory(pid int, done <-chan struct{}) (peak int64) {
	ticks := time.NewTicker(samplePeriod)
	defer ticks.Stop()
	for {
		peak = max(peak, treeMemory(pid))
		select {
		case <-done:
			return peak
		case <-ticks.C:
		}
	}
}

// treeMemory is 0 for a process that has ended.
func treeMemory(pid int) int64 {
	process := "/proc/" + strconv.Itoa(pid)
	rollup, err := os.ReadFile(process + "/smaps_rollup")
	if err != nil {
		return 0
	}
	all := proportional(rollup)
	threads, _ := os.ReadDir(process + "/task") // none if it has just ended
	for _, thread := range threads {
		children, err := os.ReadFile(process + "/task/" + thread.Name() + "/children")
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(child); err == nil {
				all += treeMemory(pid)
			}
		}
	}
	return all
}

// proportional returns the bytes of the line Pss of /proc/PID/smaps_rollup.
func proportional(rollup []byte) int64 {
	for line := range bytes.Lines(rollup) {
		fields := strings.Fields(string(line))
		if len(fields) == 3 && fields[0] == "Pss:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// rows are a row for each program, with its time as a multiple of that of the first.
func rows(subject string, programs []*program) string {
	var b strings.Builder
	first := time.Duration(0)
	for i, p := range programs {
		middle := median(slices.Sorted(slices.Values(p.times)))
		if i == 0 {
			first = middle
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f s | %.1f | %d MB |\n", subject, p.name, middle.Seconds(), float64(middle)/float64(first), p.memory/1_000_000)
	}
	return b.String()
}

package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// softMemory is the size at which the garbage collector begins to work harder. What hostile input can make live in memory is
	// limited where it is read; this limits the garbage that comes on top.
	softMemory = 768 << 20
	// smallHeap is the size below which garbage is not collected: most runs end before, or need few collections.
	smallHeap = 160 << 20
	// defaultPercent is Go's own: a heap grows to twice of what is live in it.
	defaultPercent = 100
	// startPercent collects for the first time at half of smallHeap, because nothing is known about what is live.
	startPercent = smallHeap / 2 / firstHeap * 100
	// firstHeap is the smallest size at which Go collects garbage by default. It grows with the percentage as well.
	firstHeap = 4 << 20
)

// adapts is true while the growth of the heap is adapted to its size. The user's own setting has precedence.
var adapts atomic.Bool

// init lets the heap grow before the first collection: libraries make garbage while they are initialized, which costs a third of the
// time of a short command to collect. Go initializes packages in the order of their paths, as far as imports permit.
func init() {
	if os.Getenv("GOGC") == "" {
		adapts.Store(true)
		debug.SetGCPercent(startPercent)
		runtime.SetFinalizer(new(collection), afterCollection)
	}
}

// Limit sets a soft limit of the memory, unless the user did, for a process that reads a repository.
func Limit() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
}

// Reset lets the heap grow as Go does by default, in a process that measures or limits its memory.
func Reset() {
	if adapts.Swap(false) {
		debug.SetGCPercent(defaultPercent)
	}
}

// collection is garbage that a collection finds. It is not empty, because Go may never finalize objects without size.
type collection struct{ _ [64]byte }

// afterCollection lets a small heap grow again, and is called after each collection until the heap is large.
func afterCollection(c *collection) {
	if !adapts.Load() {
		return
	}
	percent := percentOf(live())
	debug.SetGCPercent(percent)
	if !adapts.Load() { // reset in the meantime
		debug.SetGCPercent(defaultPercent)
		return
	}
	if percent > defaultPercent {
		runtime.SetFinalizer(c, afterCollection)
	}
}

// percentOf returns the growth by which a heap with so many live bytes becomes smallHeap, or the default if that is more.
func percentOf(live uint64) int {
	live = max(live, firstHeap)
	if live >= smallHeap/2 {
		return defaultPercent
	}
	return int((smallHeap - live) * 100 / live)
}

// live returns how many bytes the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return smallHeap
	}
	return sample[0].Value.Uint64()
}

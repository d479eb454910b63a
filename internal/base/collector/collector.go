package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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

// init is for the initialization of packages: libraries make garbage in it that costs a third of the time of a short command to collect.
// Go initializes packages in the order of their paths, as far as imports permit.
func init() {
	setPercent(startPercent)
}

// Tune sets how often garbage is collected in a process that reads a repository. Variables of the environment that are set have
// precedence.
func Tune() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	if setPercent(startPercent) {
		afterCollection(new(collection))
	}
}

// Reset collects garbage as often as Go does by default, in a process with a small limit.
func Reset() { setPercent(defaultPercent) }

// setPercent sets the growth after which garbage is collected, unless the user did.
func setPercent(percent int) bool {
	if os.Getenv("GOGC") != "" {
		return false
	}
	debug.SetGCPercent(percent)
	return true
}

// collection is garbage that a collection finds. It is not empty, because Go may never finalize objects without size.
type collection struct{ _ [64]byte }

// afterCollection lets a small heap grow again, and is called after each collection until the heap is large.
func afterCollection(c *collection) {
	percent := percentOf(live())
	debug.SetGCPercent(percent)
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

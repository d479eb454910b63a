package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// softMemory is the size at which the garbage collector begins to work harder. What hostile input can make live in memory is
// limited where it is read; this limits the garbage that comes on top.
const softMemory = 768 << 20

// firstHeap is the smallest size at which Go collects garbage by default. It grows with the percentage as well.
const firstHeap = 4 << 20

// growth is how far a heap grows before garbage is collected.
type growth struct {
	// small is the size below which garbage is not collected.
	small uint64
	// percent is the growth of a larger heap.
	percent int
}

var (
	// usual is Go's own growth, but for small heaps: most runs end before garbage is collected, or after few collections.
	usual = growth{small: 160 << 20, percent: 100}
	// confined is the growth in a process with a limit of memory, beside others. A build makes much garbage and ends soon, so a larger
	// heap grows further than usual. Near the limit, garbage is collected as often as needed.
	confined = growth{small: 48 << 20, percent: 200}
)

// adapted is the growth to which the heap is adapted after each collection, nil for none: the user's own setting has precedence.
var adapted atomic.Pointer[growth]

// init lets the heap grow before the first collection: libraries make garbage while they are initialized, which costs a third of the
// time of a short command to collect. Go initializes packages in the order of their paths, as far as imports permit.
func init() {
	if os.Getenv("GOGC") == "" {
		adapted.Store(&usual)
		debug.SetGCPercent(usual.first())
		runtime.SetFinalizer(new(collection), afterCollection)
	}
}

// Limit sets a soft limit of the memory, unless the user did, for a process that reads a repository.
func Limit() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
}

// Confine lets the heap grow less far, in a process with a limit of memory. It is called before the heap is large.
func Confine() {
	if adapted.Load() != nil {
		adapted.Store(&confined)
		debug.SetGCPercent(confined.first())
	}
}

// collection is garbage that a collection finds. It is not empty, because Go may never finalize objects without size.
type collection struct{ _ [64]byte }

// afterCollection lets a small heap grow again, and is called after each collection until the heap is large.
func afterCollection(c *collection) {
	g := adapted.Load()
	percent := g.percentOf(live())
	debug.SetGCPercent(percent)
	if now := adapted.Load(); now != g { // confined in the meantime
		debug.SetGCPercent(now.first())
	}
	if percent > g.percent {
		runtime.SetFinalizer(c, afterCollection)
	}
}

// first is the percentage until the first collection, at half of the small size, because nothing is known about what is live.
func (g *growth) first() int { return int(g.small / 2 / firstHeap * 100) }

// percentOf returns the growth by which a heap with so many live bytes becomes small, or that of a larger heap if that is more.
func (g *growth) percentOf(live uint64) int {
	live = max(live, firstHeap)
	if live >= g.small {
		return g.percent
	}
	return max(int((g.small-live)*100/live), g.percent)
}

// live returns how many bytes the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return usual.small
	}
	return sample[0].Value.Uint64()
}

package policy

import (
	"context"
	"fmt"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// Limits keep a policy from running for ever or filling the memory.
type Limits struct {
	// Time is how long one evaluation may take.
	Time time.Duration
	// Memory is how many bytes the program's heap may grow while an evaluation runs.
	Memory uint64
}

// LimitError says that an evaluation was stopped, and at which limit.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return "stopped: " + e.Reason }

// lookInterval is how often a running evaluation is looked at. Nearly all are over before the first look.
const lookInterval = 20 * time.Millisecond

// guard looks at a running evaluation from time to time and stops it at a limit. One timer serves, rather than a
// goroutine, for there are very many short evaluations.
type guard struct {
	ctx    context.Context
	limits Limits
	cancel topdown.Cancel
	start  time.Time

	mu     sync.Mutex
	timer  *time.Timer
	over   bool
	aside  time.Time // when the evaluation went into a built-in function, zero outside of one
	heap   uint64    // at the first look
	reason error
}

type guardKey struct{}

// excused runs a built-in function. Its time and memory are not the policy's fault: the first to ask may have to wait
// until the whole repository has been looked through.
func excused(ctx context.Context, call func()) {
	g, ok := ctx.Value(guardKey{}).(*guard)
	if !ok {
		call()
		return
	}
	g.mu.Lock()
	g.aside = time.Now()
	g.mu.Unlock()
	call()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.start = g.start.Add(time.Since(g.aside))
	g.aside, g.heap = time.Time{}, 0
}

func watch(ctx context.Context, limits Limits) *guard {
	g := &guard{ctx: ctx, limits: limits, cancel: topdown.NewCancel(), start: time.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.timer = time.AfterFunc(min(lookInterval, limits.Time), g.look)
	return g
}

// stop ends the watch and says why the evaluation was stopped, nil when it was not.
func (g *guard) stop() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
	g.timer.Stop()
	return g.reason
}

func (g *guard) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return
	}
	if g.reason = g.exceeded(); g.reason != nil {
		g.cancel.Cancel()
		return
	}
	g.timer.Reset(lookInterval)
}

func (g *guard) exceeded() error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	if !g.aside.IsZero() {
		return nil
	}
	if time.Since(g.start) >= g.limits.Time {
		return &LimitError{fmt.Sprintf("it took longer than %v", g.limits.Time)}
	}
	heap := heapSize()
	if g.heap == 0 {
		g.heap = heap
	}
	if heap > g.heap && heap-g.heap > g.limits.Memory {
		return &LimitError{fmt.Sprintf("it needed more than %d MiB of memory", g.limits.Memory>>20)}
	}
	return nil
}

func heapSize() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

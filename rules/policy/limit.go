package policy

import (
	"context"
	"fmt"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// Limits prevent a policy from running forever or filling the memory.
type Limits struct {
	// Time limits one evaluation.
	Time time.Duration
	// Memory limits the growth of the program's heap during an evaluation, in bytes.
	Memory uint64
}

// LimitError reports that an evaluation was stopped, and at which limit.
type LimitError struct {
	Reason string
	// Time is true for the limit of time.
	Time bool
}

func (e *LimitError) Error() string { return "stopped: " + e.Reason }

// lookInterval is the interval of checks of a running evaluation. Nearly all end before the first check.
const lookInterval = 20 * time.Millisecond

// guard checks a running evaluation periodically and stops it at a limit. It uses a timer and not a goroutine, because
// there are very many short evaluations.
type guard struct {
	ctx    context.Context
	limits Limits
	cancel topdown.Cancel
	start  time.Time

	mu     sync.Mutex
	timer  *time.Timer
	over   bool
	aside  time.Time // start of the current call of a built-in function, otherwise zero
	heap   uint64    // at the first check
	reason error
}

type guardKey struct{}

// excused runs a built-in function. Its time and memory do not count for the policy: the first call can have to wait until
// the whole repository has been searched.
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

// stop ends the checks and returns why the evaluation was stopped, or nil.
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
		return &LimitError{Reason: fmt.Sprintf("it took longer than %v", g.limits.Time), Time: true}
	}
	heap := heapSize()
	if g.heap == 0 {
		g.heap = heap
	}
	if heap > g.heap && heap-g.heap > g.limits.Memory {
		return &LimitError{Reason: fmt.Sprintf("it needed more than %d MiB of memory", g.limits.Memory>>20)}
	}
	return nil
}

func heapSize() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

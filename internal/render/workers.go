package render

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/reuse"
)

// Workers are child processes that are reused, because starting one takes longer than a small build. They are started on
// demand, with the limits of the first request. They are safe for concurrent use.
//
// All together have the memory of the limits: each of those that run at the same time has a share. A request that needs more
// than its share is sent again when no other runs, with all of the memory.
type Workers struct {
	limits Limits
	share  int64         // the memory of one process
	slots  chan struct{} // one for each process that can run at the same time
	alone  sync.RWMutex  // locked for writing while one process has all of the memory

	// known are results of earlier requests; nil keeps none.
	known *reuse.Cache
	store reuse.Store
	scope string

	builds                        countByReason
	charts, queries, sent, reused atomic.Int64

	// done is called after each build and rendering; nil calls nothing.
	done func()

	mu   sync.Mutex
	idle map[int64][]*childProcess // by their memory
}

// Counters count the work of child processes.
type Counters struct {
	// Kustomizations are the folders that were built, Charts the charts that were rendered, and Queries the files and folders that
	// builds asked for. Sent are the bytes of the files that they received.
	Kustomizations, Charts, Queries, Sent int
	// ByReason are the folders by the reason for which they were built.
	ByReason ByReason
	// Reused are the folders and charts whose result was known, which are not among the others.
	Reused int
}

// Counters returns the work so far.
func (w *Workers) Counters() Counters {
	c := Counters{ByReason: w.builds.numbers(), Charts: int(w.charts.Load()), Queries: int(w.queries.Load()), Sent: int(w.sent.Load()), Reused: int(w.reused.Load())}
	for _, n := range c.ByReason {
		c.Kustomizations += n
	}
	return c
}

// count counts a request, and has its queries counted.
func (w *Workers) count(j job) job {
	if j.request.Kustomize == nil {
		w.charts.Add(1)
		return j
	}
	w.builds[j.reason].Add(1)
	answer := j.files
	j.files = func(q protocol.Query) protocol.Answer {
		w.queries.Add(1)
		a := answer(q)
		w.sent.Add(int64(len(a.Data)))
		return a
	}
	return j
}

// NewWorkers returns workers with limits. Close ends them.
func NewWorkers(l Limits) *Workers {
	l = l.filled()
	count := min(max(l.Memory/minMemory, 1), int64(runtime.GOMAXPROCS(0)))
	return &Workers{limits: l, share: l.Memory / count, slots: make(chan struct{}, count), idle: map[int64][]*childProcess{}}
}

// Reuse makes the workers return results of a cache, and add theirs. It is called before the first request.
func (w *Workers) Reuse(known *reuse.Cache) { w.known = known }

// Store makes the workers look into a store as well, and add to it. The scope names the program and the libraries that made its
// results.
func (w *Workers) Store(store reuse.Store, scope string) { w.store, w.scope = store, " "+scope }

// OnDone sets a function that is called after each build and rendering, by several goroutines.
func (w *Workers) OnDone(done func()) { w.done = done }

// Close ends the idle processes. The workers can be used again afterwards.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, all := range w.idle {
		for _, p := range all {
			p.Kill()
		}
	}
	clear(w.idle)
}

// job is a request with the function that answers queries for files.
type job struct {
	request protocol.Request
	files   func(protocol.Query) protocol.Answer
	// follow calls a function for the queries that probably follow an answered one, and prepare answers a query without any effect, if
	// that is possible, see ahead. follow is nil if no answers are sent ahead.
	follow  func(protocol.Query, protocol.Answer, func(protocol.Query) (protocol.Answer, bool))
	prepare func(protocol.Query) (protocol.Answer, bool)
	// reason is counted.
	reason Reason
	// again is called before the request is sent a second time; nil if nothing has to be reset.
	again func()
}

// insideKey marks the context of a request that another request is waiting for: a chart in a kustomization.
type insideKey struct{}

// run returns the result of a request: a known one, or that of a process.
func (w *Workers) run(ctx context.Context, j job) (*protocol.Result, error) {
	if w.done != nil {
		defer w.done()
	}
	if w.known == nil {
		result, _, err := w.compute(ctx, j)
		return result, err
	}
	result, lookup := w.known.Find(reuse.Key{Scope: w.limits.scope() + w.scope, Store: w.store}, j.request, j.files)
	if result != nil {
		w.reused.Add(1)
		return result, ctx.Err()
	}
	result, final, err := w.compute(ctx, j.recorded(lookup))
	if err == nil && final {
		lookup.Keep(result)
	}
	return result, err
}

// recorded returns the job with its queries recorded.
func (j job) recorded(lookup *reuse.Lookup) job {
	answer, again := j.files, j.again
	if answer != nil {
		j.files = lookup.Record(answer)
	}
	j.again = func() {
		lookup.Forget()
		if again != nil {
			again()
		}
	}
	j.again() // the search has asked some of the queries
	return j
}

// compute sends a request and returns its result. It is not final if a limit ended the process after a draft.
func (w *Workers) compute(ctx context.Context, j job) (result *protocol.Result, final bool, err error) {
	if ctx.Value(insideKey{}) != nil {
		return w.send(ctx, j, w.limits.Memory) // waiting for a slot could take forever
	}
	result, final, err = w.runShared(ctx, j)
	var limit *LimitError
	if !errors.As(err, &limit) || !limit.memory || w.share == w.limits.Memory {
		return result, final, err
	}
	w.alone.Lock()
	defer w.alone.Unlock()
	w.Close()
	defer w.Close()
	if j.again != nil {
		j.again()
	}
	return w.send(ctx, j, w.limits.Memory)
}

// runShared sends a request to a process that others run beside.
func (w *Workers) runShared(ctx context.Context, j job) (result *protocol.Result, final bool, err error) {
	w.alone.RLock()
	defer w.alone.RUnlock()
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	defer func() { <-w.slots }()
	return w.send(ctx, j, w.share)
}

// send sends a request to a process with an amount of memory. A process that failed is not used again.
func (w *Workers) send(ctx context.Context, j job, memory int64) (result *protocol.Result, final bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	p, err := w.take(memory)
	if err != nil {
		return nil, false, err
	}
	limits := w.limits
	limits.Memory = memory
	result, err = p.exchange(ctx, w.count(j), limits)
	if errors.Is(err, errUnlikeAhead) && j.follow != nil {
		j.follow = nil
		j.again()
		return w.send(ctx, j, memory)
	}
	if err != nil {
		return nil, false, err
	}
	if p.gone {
		return result, false, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle[memory] = append(w.idle[memory], p)
	return result, true, nil
}

func (w *Workers) take(memory int64) (*childProcess, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	idle := w.idle[memory]
	if last := len(idle) - 1; last >= 0 {
		p := idle[last]
		w.idle[memory] = idle[:last]
		return p, nil
	}
	return start(memory)
}

// orNew returns the workers to use and a function to call afterwards: those of the caller, or new ones for this call.
func (w *Workers) orNew(l Limits) (workers *Workers, done func()) {
	if w != nil {
		return w, func() {}
	}
	own := NewWorkers(l)
	return own, own.Close
}

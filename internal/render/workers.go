package render

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/salint/salint/internal/render/protocol"
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

	mu   sync.Mutex
	idle map[int64][]*childProcess // by their memory
}

// NewWorkers returns workers with limits. Close ends them.
func NewWorkers(l Limits) *Workers {
	l = l.filled()
	count := min(max(l.Memory/minMemory, 1), int64(runtime.GOMAXPROCS(0)))
	return &Workers{limits: l, share: l.Memory / count, slots: make(chan struct{}, count), idle: map[int64][]*childProcess{}}
}

// Close ends the idle processes. The workers can be used again afterwards.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, all := range w.idle {
		for _, p := range all {
			p.kill()
		}
	}
	clear(w.idle)
}

// job is a request with the function that answers queries for files.
type job struct {
	request protocol.Request
	files   func(protocol.Query) protocol.Answer
	// again is called before the request is sent a second time; nil if nothing has to be reset.
	again func()
}

// insideKey marks the context of a request that another request is waiting for: a chart in a kustomization.
type insideKey struct{}

// run sends a request and returns its result.
func (w *Workers) run(ctx context.Context, j job) (*protocol.Result, error) {
	if ctx.Value(insideKey{}) != nil {
		return w.send(ctx, j, w.limits.Memory) // waiting for a slot could take forever
	}
	result, err := w.runShared(ctx, j)
	var limit *LimitError
	if !errors.As(err, &limit) || !limit.memory || w.share == w.limits.Memory {
		return result, err
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
func (w *Workers) runShared(ctx context.Context, j job) (*protocol.Result, error) {
	w.alone.RLock()
	defer w.alone.RUnlock()
	select {
	case w.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-w.slots }()
	return w.send(ctx, j, w.share)
}

// send sends a request to a process with an amount of memory. A process that failed is not used again.
func (w *Workers) send(ctx context.Context, j job, memory int64) (*protocol.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := w.take(memory)
	if err != nil {
		return nil, err
	}
	limits := w.limits
	limits.Memory = memory
	result, err := p.exchange(ctx, j.request, limits, j.files)
	if err != nil {
		return nil, err
	}
	if p.gone {
		return result, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle[memory] = append(w.idle[memory], p)
	return result, nil
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

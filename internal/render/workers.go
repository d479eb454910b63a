package render

import (
	"context"
	"sync"

	"github.com/salint/salint/internal/render/protocol"
)

// Workers are child processes that are reused, because starting one takes longer than a small build. They are started on
// demand, one for each concurrent request, with the limits of the first. They are safe for concurrent use.
type Workers struct {
	limits Limits

	mu   sync.Mutex
	idle []*childProcess
}

// NewWorkers returns workers with limits. Close ends them.
func NewWorkers(l Limits) *Workers { return &Workers{limits: l.filled()} }

// Close ends the idle processes. The workers can be used again afterwards.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.idle {
		p.kill()
	}
	w.idle = nil
}

// run sends a request and returns its result. A process that failed is not used again.
func (w *Workers) run(ctx context.Context, request protocol.Request, files func(protocol.Query) protocol.Answer) (*protocol.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := w.take()
	if err != nil {
		return nil, err
	}
	result, err := p.exchange(ctx, request, w.limits, files)
	if err != nil {
		return nil, err
	}
	if p.gone {
		return result, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, p)
	return result, nil
}

func (w *Workers) take() (*childProcess, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		p := w.idle[last]
		w.idle = w.idle[:last]
		return p, nil
	}
	return start(w.limits.Memory)
}

// orNew returns the workers to use and a function to call afterwards: those of the caller, or new ones for this call.
func (w *Workers) orNew(l Limits) (workers *Workers, done func()) {
	if w != nil {
		return w, func() {}
	}
	own := NewWorkers(l)
	return own, own.Close
}

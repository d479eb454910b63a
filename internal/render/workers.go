package render

import (
	"context"
	"sync"

	"github.com/salint/salint/internal/render/wire"
)

// Workers are child processes that are kept for the next request: starting one takes longer than a small build. They are
// started when they are needed, one for each request under way, and all have the limits of the first. Any number of
// goroutines may use them.
type Workers struct {
	limits Limits

	mu   sync.Mutex
	idle []*process
}

// NewWorkers prepares workers with these limits. Close ends them.
func NewWorkers(l Limits) *Workers { return &Workers{limits: l.filled()} }

// Close ends the processes that are idle. The workers can be used again afterwards.
func (w *Workers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.idle {
		p.kill()
	}
	w.idle = nil
}

// run has one request answered. A process that failed is not used again.
func (w *Workers) run(ctx context.Context, request wire.Request, files func(wire.Query) wire.Answer) (*wire.Result, error) {
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

func (w *Workers) take() (*process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		p := w.idle[last]
		w.idle = w.idle[:last]
		return p, nil
	}
	return start(w.limits.Memory)
}

// orOwn gives the workers to use, and what to do with them afterwards: those of the caller, or new ones for this call.
func (w *Workers) orOwn(l Limits) (workers *Workers, done func()) {
	if w != nil {
		return w, func() {}
	}
	own := NewWorkers(l)
	return own, own.Close
}

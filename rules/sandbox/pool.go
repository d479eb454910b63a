package sandbox

import (
	"runtime"
	"slices"
	"sync"
)

// pool are the further processes of a sandbox, which are started when evaluations run at the same time. The zero value has none.
type pool struct {
	mu sync.Mutex
	// single is set if all evaluations must run in the process of the sandbox itself.
	single bool
	// own is set while the process of the sandbox itself evaluates a rule. others are the other ones, and idle those that evaluate nothing.
	own          bool
	others, idle []*Sandbox
}

// acquire returns the sandbox in which an evaluation runs, and a function that releases it. The process of the sandbox itself is preferred:
// each further one has to compile the policies. If all are busy, the evaluation waits for that of the sandbox itself.
func (s *Sandbox) acquire() (free *Sandbox, release func()) {
	p := &s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.own || p.single:
		p.own = true
		return s, func() { p.release(nil) }
	case len(p.idle) > 0:
		free, p.idle = p.idle[len(p.idle)-1], p.idle[:len(p.idle)-1]
	case len(p.others) < runtime.GOMAXPROCS(0)-1:
		free = &Sandbox{Observe: s.Observe, Explain: s.Explain, policies: s.policies, documents: s.documents}
		p.others = append(p.others, free)
	default:
		return s, func() {}
	}
	return free, func() { p.release(free) }
}

// release takes back another sandbox; nil stands for the process of the sandbox itself.
func (p *pool) release(s *Sandbox) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil {
		p.own = false
		return
	}
	if slices.Contains(p.others, s) { // it was not closed meanwhile
		p.idle = append(p.idle, s)
	}
}

func (p *pool) setSingle(single bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.single = single
}

// close ends the further processes.
func (p *pool) close() {
	p.mu.Lock()
	others := p.others
	p.others, p.idle = nil, nil
	p.mu.Unlock()
	for _, s := range others {
		s.Close()
	}
}

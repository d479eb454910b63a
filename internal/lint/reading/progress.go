package reading

import (
	"slices"
	"sync/atomic"
)

// The stages of a round that a progress line displays.
const (
	Reading    = "reading files"
	Building   = "building"
	Evaluating = "evaluating"
	Planning   = "planning fixes"
	Verifying  = "verifying fixes"
)

// Display displays how far a run has come. Its methods are safe for concurrent use.
type Display interface {
	// Stage begins a new count; total is 0 while it is unknown.
	Stage(what string, total int)
	// Add counts n more.
	Add(n int)
}

// Progress is how far a run has come.
type Progress struct {
	// Display displays it; nil displays nothing.
	Display Display
	// shown is the stage that is displayed.
	shown atomic.Value
}

// Stage begins a stage with an expected count, or 0 if it is unknown.
func (p *Progress) Stage(what string, total int) {
	p.shown.Store(what)
	if p.Display != nil {
		p.Display.Stage(what, total)
	}
}

// Step counts one more in one of the stages, unless another one is displayed: a build can also be part of an evaluation.
func (p *Progress) Step(of ...string) {
	if p.Display == nil {
		return
	}
	if shown, _ := p.shown.Load().(string); slices.Contains(of, shown) {
		p.Display.Add(1)
	}
}

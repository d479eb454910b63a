package lint

import "slices"

// The stages of a round that a progress line displays.
const (
	reading    = "reading files"
	building   = "building"
	evaluating = "evaluating"
	planning   = "planning fixes"
	verifying  = "verifying fixes"
)

// stage displays the beginning of a stage with an expected count, or 0 if it is unknown.
func (s *Session) stage(what string, total int) {
	s.shown.Store(what)
	if s.Progress != nil {
		s.Progress.Stage(what, total)
	}
}

// step counts one more in one of the stages, unless another one is displayed: a build can also be part of an evaluation.
func (s *Session) step(of ...string) {
	if s.Progress == nil {
		return
	}
	if shown, _ := s.shown.Load().(string); slices.Contains(of, shown) {
		s.Progress.Add(1)
	}
}

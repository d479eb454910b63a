package session

import (
	"time"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules/evaluate"
)

// Stats counts the work of a run, in all of its rounds.
type Stats struct {
	// Documents are those in all files, Parsed those that were parsed.
	Files, Documents, Parsed int
	// Deferred are the units that were not built at once, Unbuilt those of them that were never built.
	Units, Deferred, Unbuilt int
	// Rendered is the work of the child processes.
	Rendered render.Counters
	// Evaluations are those of each rule, and EvaluationTimes their time; evaluations at the same time are added up.
	Evaluations     map[string]int
	EvaluationTimes map[string]time.Duration
	// Remarks are what evaluations of the user's rules have printed, and what failed in them.
	Remarks []string
	// Phases are the phases of the run, in the order in which they began.
	Phases []Phase
}

// Phase is a part of a run.
type Phase struct {
	Name string
	Time time.Duration
}

// timed starts to measure a phase; the returned function ends it. Phases of the same name are added up.
func (s *Stats) timed(name string) (end func()) {
	start := time.Now()
	return func() {
		elapsed := time.Since(start)
		for i := range s.Phases {
			if s.Phases[i].Name == name {
				s.Phases[i].Time += elapsed
				return
			}
		}
		s.Phases = append(s.Phases, Phase{name, elapsed})
	}
}

// addSnapshot counts what was read for a round.
func (s *Stats) addSnapshot(snapshot *reading.Snapshot) {
	read, units := snapshot.Collection, snapshot.Written
	s.Files, s.Documents, s.Parsed = len(read.Names), read.Documents, s.Parsed+snapshot.Parsed.Documents
	s.Units, s.Deferred, s.Unbuilt = len(units), 0, 0
	for _, u := range units {
		if u.Deferred() {
			s.Deferred++
		}
		if u.Pending() {
			s.Unbuilt++
		}
	}
}

// addEvaluations adds the evaluations of a round.
func (s *Stats) addEvaluations(c evaluate.Counters) {
	if s.Evaluations == nil {
		s.Evaluations, s.EvaluationTimes = map[string]int{}, map[string]time.Duration{}
	}
	for _, remark := range c.Remarks {
		s.Remarks = words.AddOnce(s.Remarks, remark)
	}
	for rule, n := range c.Evaluations {
		s.Evaluations[rule] += n
		s.EvaluationTimes[rule] += c.Times[rule]
	}
}

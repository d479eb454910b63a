package fixing

import (
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/judging"
)

// withhold drops the plans that would change lines with a silenced finding of their rule. For example, removing a field from a base
// for one overlay would also remove the patch of another overlay where the rule is silenced. Objects that are pruned because of such
// a plan stay as well.
func (w *planner) withhold(all []result, work engine.Work, silenced []judging.Finding) error {
	var refused []engine.Refused
	for i := range all {
		m := &all[i]
		if m.plan == nil {
			continue
		}
		kept, err := w.firstEdited(m.plan, m.Rule, silenced)
		if err != nil {
			return err
		}
		if kept != nil {
			m.refused = fmt.Sprintf("the fix would also change %s:%d, where %s is silenced. Remove the ignore there, or fix this place manually",
				kept.File, kept.Range.Line, m.Rule)
			refused = append(refused, engine.Refused{Plan: m.plan, Reason: m.refused})
			m.plan, m.Fix = nil, nil
		}
	}
	_, refused = engine.Without(work.Plans(), refused)
	for _, r := range refused {
		w.withheld[r.Plan] = true
	}
	return nil
}

// firstEdited returns the first of the findings of a rule whose bytes a plan changes, or nil.
func (w *planner) firstEdited(p *engine.Plan, rule string, findings []judging.Finding) (*finding.Finding, error) {
	var edits []finding.FileEdit
	for i := range findings {
		f := &findings[i].Finding
		if f.Rule != rule {
			continue
		}
		if edits == nil {
			var err error
			if edits, err = w.editsOf(p); err != nil {
				return nil, err
			}
		}
		for _, e := range edits {
			if e.File == f.File && e.Start < f.Range.End && f.Range.Start < e.End {
				return f, nil
			}
		}
	}
	return nil, nil
}

// withholdOthers withholds the plans of findings that Fixes.Only does not select, unless the fix of a selected one needs them.
func (w *planner) withholdOthers(all []result, work engine.Work) {
	if w.round.options.Fixes.Only == nil {
		return
	}
	selected := map[*engine.Plan]bool{}
	var add func(*engine.Plan)
	add = func(p *engine.Plan) {
		if p == nil || selected[p] {
			return
		}
		selected[p] = true
		for _, needed := range p.Needs {
			add(needed)
		}
	}
	for _, m := range all {
		if w.round.options.Fixes.Only(m.Finding.Finding) {
			add(m.plan)
		}
	}
	for _, p := range work.Plans() {
		if !selected[p] {
			w.withheld[p] = true
		}
	}
}

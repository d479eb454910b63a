package lint

import (
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
)

// bar refuses the plans that would change lines on which a finding of their rule is silenced. A base may lose a field for one
// overlay, and with it another overlay's patch would go of which the user said that it stays. What is pruned because of such a
// plan stays as well.
func (w *workshop) bar(all []mended, work engine.Work, silenced []judged) error {
	var refused []engine.Refused
	for i := range all {
		m := &all[i]
		if m.plan == nil {
			continue
		}
		kept, err := w.changed(m.plan, m.Rule, silenced)
		if err != nil {
			return err
		}
		if kept != nil {
			m.refused = fmt.Sprintf("that would also change %s:%d, where %s is silenced: mend that place too, or this one by hand",
				kept.File, kept.Range.Line, m.Rule)
			refused = append(refused, engine.Refused{Plan: m.plan, Reason: m.refused})
			m.plan, m.Fix = nil, nil
		}
	}
	_, refused = engine.Without(work.Plans(), refused)
	for _, r := range refused {
		w.barred[r.Plan] = true
	}
	return nil
}

// changed gives the first finding of a rule among some whose bytes a plan changes, or nil.
func (w *workshop) changed(p *engine.Plan, rule string, findings []judged) (*finding.Finding, error) {
	var edits []finding.FileEdit
	for i := range findings {
		f := &findings[i].Finding
		if f.Rule != rule {
			continue
		}
		if edits == nil {
			var err error
			if edits, err = engine.Edits(w.context, p); err != nil {
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

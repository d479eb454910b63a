package fixing

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/lint/judging"
)

// TargetError is the error of a run that fixes nothing because fixes depend on a release that is unknown.
type TargetError struct {
	Place string
	// Paths are patterns of the paths whose target is unknown, and Others is set if the target of other paths is known.
	Paths  []string
	Others bool
}

func (e *TargetError) Error() string {
	switch {
	case e.Others:
		return fmt.Sprintf("nothing was fixed. %s: the fix depends on the OLM release, which was detected for other paths and not for this one. "+
			"Set it in .salint.yaml, with the release of each cluster:\n%s", e.Place, settings.SuggestTargets(e.Paths))
	case len(e.Paths) > 1:
		return fmt.Sprintf("nothing was fixed. %s: the fix depends on the OLM release, which could not be detected. If all clusters run the same, "+
			"set `target:` in .salint.yaml or pass --target (see `salint targets`). Otherwise set the release of each cluster:\n%s",
			e.Place, settings.SuggestTargets(e.Paths))
	}
	return fmt.Sprintf("nothing was fixed. %s: the fix depends on the OLM release, which could not be detected. "+
		"Set `target:` in .salint.yaml to the release of the cluster, or pass --target (see `salint targets`)", e.Place)
}

// awaitsTarget reports whether the fix of a finding depends on the target of a unit that has none.
func awaitsTarget(f judging.Finding) bool {
	return f.Report.Fix != nil && len(f.TargetUnknown) > 0
}

// waitForTarget refuses the fix of a finding until its target is known. Findings with the same reason get one note.
func (m *result) waitForTarget(targets *judging.Targets) {
	m.waits = true
	m.refused = "the fix depends on the OLM release, which is unknown. " + judging.SetTarget
	if targets.AnyKnown() {
		m.refused = fmt.Sprintf("the fix depends on the OLM release, which was detected for other paths and not for this one. "+
			"Set it with `overrides:` in .salint.yaml for %s", settings.QuotedList(m.TargetUnknown))
	}
	m.group = m.refused
}

// firstWaiting returns a *TargetError about the first fix that waits for a target; nil if there is none.
func (w *planner) firstWaiting(all []result) error {
	for _, m := range all {
		if fix := m.Report.Fix; m.waits && fix != nil && w.round.options.Fixes.wants(finding.FixKind(fix.Kind)) {
			return &TargetError{fmt.Sprintf("%s:%d:%d", m.File, m.Range.Line, m.Range.Column), unknownPaths(all), w.round.judge.Targets.AnyKnown()}
		}
	}
	return nil
}

// unknownPaths returns the sorted paths of findings whose fixes depend on an unknown target.
func unknownPaths(all []result) []string {
	var paths []string
	for _, m := range all {
		if m.Report.Fix != nil {
			paths = append(paths, m.TargetUnknown...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

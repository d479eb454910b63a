package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// commonTarget returns the target for the header of a report: the requested one, or the one that all units have in common.
func (r *run) commonTarget() finding.Target {
	if target := r.requested.Common(); target != nil {
		return finding.Target{Name: target.Name, Model: string(target.Model)}
	}
	targets := r.judging.targets.recorded()
	common := finding.Target{Name: olm.AutoTarget, Model: string(olm.Unknown)}
	for i, target := range targets {
		switch {
		case i == 0:
			common = target
		case common.Name != target.Name:
			return finding.Target{Name: olm.AutoTarget}
		case common.DetectedFrom != target.DetectedFrom:
			common.DetectedFrom = ""
		}
	}
	return common
}

// assumptionNotes returns notes on the targets of objects that are later than all known releases.
func (j *targetResolver) assumptionNotes() []string {
	var notes []string
	for _, used := range j.recorded() {
		if target, err := olm.ParseTarget(used.Name); err == nil && target.Assumed != "" {
			notes = appendOnce(notes, target.AssumptionNote())
		}
	}
	slices.Sort(notes)
	return notes
}

// TargetError is the error of a run that fixes nothing because fixes depend on a release that is unknown.
type TargetError struct {
	Place string
	// Paths are patterns of the paths whose target is unknown, if the target of other paths is known.
	Paths []string
}

func (e *TargetError) Error() string {
	if len(e.Paths) > 0 {
		return fmt.Sprintf("nothing was fixed. %s: the fix depends on the OLM release, which was detected for other paths and not for this one. "+
			"Set it with `overrides:` in .salint.yaml, for example:\noverrides:\n- paths: [%s]\n  target: olm-1.11",
			e.Place, quotedList(e.Paths))
	}
	return fmt.Sprintf("nothing was fixed. %s: the fix depends on the OLM release, which could not be detected. "+
		"Pass --target, for example --target olm-1.11 or --target ocp-4.20, or set `target:` in .salint.yaml (see `salint targets`)", e.Place)
}

// quotedList returns patterns as the items of a list in YAML.
func quotedList(patterns []string) string {
	quoted := make([]string, len(patterns))
	for i, p := range patterns {
		quoted[i] = strconv.Quote(p)
	}
	return strings.Join(quoted, ", ")
}

// awaitsTarget reports whether the fix of a finding depends on the target of a unit that has none.
func (j *targetResolver) awaitsTarget(f judgedFinding) bool {
	return f.report.Fix != nil && len(f.targetUnknown) > 0
}

// waitForTarget refuses the fix of a finding until its target is known. Findings with the same reason get one note.
func (m *fixResult) waitForTarget(targets *targetResolver) {
	m.waits = true
	m.refused = "the fix depends on the OLM release, which is unknown. " + setTarget
	if targets.anyTargetKnown() {
		m.refused = fmt.Sprintf("the fix depends on the OLM release, which was detected for other paths and not for this one. "+
			"Set it with `overrides:` in .salint.yaml for %s", quotedList(m.targetUnknown))
	}
	m.group = m.refused
}

// setTarget says how a target is set.
const setTarget = "Set `target:` in .salint.yaml, or pass --target (see `salint targets`)"

// firstWaiting returns a *TargetError about the first fix that waits for a target; nil if there is none.
func (w *fixRun) firstWaiting(all []fixResult) error {
	for _, m := range all {
		if fix := m.report.Fix; m.waits && fix != nil && w.Fixes.wants(finding.FixKind(fix.Kind)) {
			return &TargetError{fmt.Sprintf("%s:%d:%d", m.File, m.Range.Line, m.Range.Column), w.judging.targets.unknownPaths(all)}
		}
	}
	return nil
}

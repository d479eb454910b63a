package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// commonTarget is the target for the head of a report: the one asked for, or the one of all units.
func (r *run) commonTarget() finding.Target {
	if target := r.asked.Common(); target != nil {
		return finding.Target{Name: target.Name, Model: string(target.Model)}
	}
	targets := r.judging.judgement.targets()
	common := finding.Target{Name: "auto"}
	for i, target := range targets {
		switch {
		case i == 0:
			common = target
		case common.Name != target.Name:
			return finding.Target{Name: "auto"}
		case common.DetectedFrom != target.DetectedFrom:
			common.DetectedFrom = ""
		}
	}
	return common
}

// TargetError says that fixes depend on a release that nobody has named.
type TargetError struct {
	Place string
	// Paths are patterns of all that lack a target, where other units tell theirs; else there are none.
	Paths []string
}

func (e *TargetError) Error() string {
	if len(e.Paths) > 0 {
		return fmt.Sprintf("%s: what to change depends on the release of OLM, and nothing here tells it, though others here tell theirs: "+
			"name it by `overrides:` in .salint.yaml, with the right target, as in\noverrides:\n- paths: [%s]\n  target: olm-1.11",
			e.Place, quotedList(e.Paths))
	}
	return fmt.Sprintf("%s: what to change depends on the release of OLM, and nothing here tells it: "+
		"add --target, as in --target olm-1.11 or --target ocp-4.20, or `target:` in .salint.yaml", e.Place)
}

// quotedList writes patterns as a list in YAML has them.
func quotedList(patterns []string) string {
	quoted := make([]string, len(patterns))
	for i, p := range patterns {
		quoted[i] = strconv.Quote(p)
	}
	return strings.Join(quoted, ", ")
}

// checkTargets asks for a target where fixes are to be made and none is known.
func (w *workshop) checkTargets(all []mended) error {
	if !w.Fixes.Apply {
		return nil
	}
	for _, m := range all {
		if fix := m.report.Fix; fix != nil && len(m.untold) > 0 && w.Fixes.wants(finding.FixKind(fix.Kind)) {
			return &TargetError{fmt.Sprintf("%s:%d:%d", m.File, m.Range.Line, m.Range.Column), w.judging.judgement.untold(all)}
		}
	}
	return nil
}

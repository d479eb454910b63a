package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/config/finding"
)

// commonTarget returns the target for the header of a report: the requested one, or the one that all units have in common.
func (r *run) commonTarget() finding.Target {
	if target := r.requested.Common(); target != nil {
		return finding.Target{Name: target.Name, Model: string(target.Model)}
	}
	targets := r.judging.targets.recorded()
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

// TargetError is returned if fixes depend on a release that is unknown.
type TargetError struct {
	Place string
	// Paths are patterns of the paths whose target is unknown, if the target of other paths is known.
	Paths []string
}

func (e *TargetError) Error() string {
	if len(e.Paths) > 0 {
		return fmt.Sprintf("%s: the fix depends on the OLM release, which was detected for other paths and not for this one. "+
			"Set it with `overrides:` in .salint.yaml, for example:\noverrides:\n- paths: [%s]\n  target: olm-1.11",
			e.Place, quotedList(e.Paths))
	}
	return fmt.Sprintf("%s: the fix depends on the OLM release, which could not be detected. "+
		"Pass --target, for example --target olm-1.11 or --target ocp-4.20, or set `target:` in .salint.yaml", e.Place)
}

// quotedList returns patterns as the items of a list in YAML.
func quotedList(patterns []string) string {
	quoted := make([]string, len(patterns))
	for i, p := range patterns {
		quoted[i] = strconv.Quote(p)
	}
	return strings.Join(quoted, ", ")
}

// checkTargets returns a *TargetError if a fix that is to be applied depends on an unknown target.
func (w *fixRun) checkTargets(all []fixResult) error {
	if !w.Fixes.Apply {
		return nil
	}
	for _, m := range all {
		if fix := m.report.Fix; fix != nil && len(m.targetUnknown) > 0 && w.Fixes.wants(finding.FixKind(fix.Kind)) {
			return &TargetError{fmt.Sprintf("%s:%d:%d", m.File, m.Range.Line, m.Range.Column), w.judging.targets.unknownPaths(all)}
		}
	}
	return nil
}

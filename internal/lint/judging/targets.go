package judging

import (
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/olm"
)

// CommonTarget returns the target for the header of a report: the requested one, or the one that all units have in common.
func (r *Report) CommonTarget() finding.Target {
	if target := r.options.Requested.Common(); target != nil {
		return finding.Target{Name: target.Name, Model: string(target.Model)}
	}
	targets := r.judge.Targets.recorded()
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

// AssumptionNotes returns notes on the targets of objects that are later than all known releases.
func (t *Targets) AssumptionNotes() []string {
	var notes []string
	for _, used := range t.recorded() {
		if target, err := olm.ParseTarget(used.Name); err == nil && target.Assumed != "" {
			notes = words.AddOnce(notes, target.AssumptionNote())
		}
	}
	slices.Sort(notes)
	return notes
}

// SetTarget says how a target is set.
const SetTarget = "Set `target:` in .salint.yaml, or pass --target (see `salint targets`)"

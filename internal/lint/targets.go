package lint

import (
	"github.com/salint/salint/internal/finding"
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

package lint

import (
	"github.com/salint/salint/internal/finding"
	"github.com/salint/salint/internal/olm"
)

// isAuto tells whether a target is left to the signs of each unit.
func isAuto(name string) bool { return name == "" || name == "auto" }

// readTargets looks up the targets that the flag and the configuration name.
func (r *run) readTargets() error {
	for _, name := range []string{r.Target, r.Config.Target} {
		if isAuto(name) {
			continue
		}
		target, err := olm.ParseTarget(name)
		if err != nil {
			return err
		}
		r.target = &target
		break
	}
	for _, override := range r.Config.Overrides {
		if isAuto(override.Target) {
			continue
		}
		target, err := olm.ParseTarget(override.Target)
		if err != nil {
			return err
		}
		r.targets[override.Target] = target
	}
	return nil
}

func checkTarget(name string) error {
	if isAuto(name) {
		return nil
	}
	_, err := olm.ParseTarget(name)
	return err
}

// askedTarget gives the target that the user named for a file: the flag goes before the overrides of the configuration,
// and these before its target.
func (r *run) askedTarget(file string) (olm.Target, bool) {
	flag := !isAuto(r.Target)
	if settings := r.Config.For(file); settings.Overridden && !flag {
		target, named := r.targets[settings.Target]
		return target, named
	}
	if r.target == nil {
		return olm.Target{}, false
	}
	return *r.target, true
}

// commonTarget is the target for the head of a report: the one asked for, or the one of all units.
func (r *run) commonTarget() finding.Target {
	if r.target != nil {
		return finding.Target{Name: r.target.Name, Model: string(r.target.Model)}
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

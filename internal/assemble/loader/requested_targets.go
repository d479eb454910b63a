package loader

import (
	"maps"
	"slices"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/olm"
)

// RequestedTargets are the targets that the user sets on the command line or in the configuration, for all files or for some.
type RequestedTargets struct {
	config *settings.Config
	// flag is true if the command line sets the target.
	flag bool
	// common is the target of the command line, otherwise that of the configuration; nil is auto.
	common *olm.Target
	named  map[string]olm.Target // of the overrides
}

// CheckTarget returns an error for a name that is not a target. The names "auto" and "" are valid: the target is detected.
func CheckTarget(name string) error {
	if isAuto(name) {
		return nil
	}
	_, err := olm.ParseTarget(name)
	return err
}

func isAuto(name string) bool { return name == "" || name == "auto" }

// ReadRequestedTargets looks up the targets of the command line and the configuration. The error for an unknown name suggests the
// nearest one.
func ReadRequestedTargets(flag string, c *settings.Config) (*RequestedTargets, error) {
	a := &RequestedTargets{config: c, flag: !isAuto(flag), named: map[string]olm.Target{}}
	for _, name := range []string{flag, c.Target} {
		if isAuto(name) {
			continue
		}
		target, err := olm.ParseTarget(name)
		if err != nil {
			return nil, err
		}
		a.common = &target
		break
	}
	for _, override := range c.Overrides {
		if isAuto(override.Target) {
			continue
		}
		target, err := olm.ParseTarget(override.Target)
		if err != nil {
			return nil, err
		}
		a.named[override.Target] = target
	}
	return a, nil
}

// Common returns the target of the command line, otherwise that of the configuration, or nil if neither sets one.
func (a *RequestedTargets) Common() *olm.Target { return a.common }

// Flag returns the target of the command line; nil if it sets none.
func (a *RequestedTargets) Flag() *olm.Target {
	if !a.flag {
		return nil
	}
	return a.common
}

// AssumptionNotes returns a note for each requested release that is later than all known ones.
func (a *RequestedTargets) AssumptionNotes() []string {
	var notes []string
	if a.common != nil && a.common.Assumed != "" {
		notes = append(notes, a.common.AssumptionNote())
	}
	for _, name := range slices.Sorted(maps.Keys(a.named)) {
		if note := a.named[name].AssumptionNote(); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// Overrides reports whether an override of the configuration decides on the target of a file.
func (a *RequestedTargets) Overrides(file string) bool {
	return !a.flag && a.config.For(file).Overridden
}

// For returns the target that the user requests for a file. The flag takes precedence over the overrides of the configuration, and
// these take precedence over its target.
func (a *RequestedTargets) For(file string) (olm.Target, bool) {
	if settings := a.config.For(file); settings.Overridden && !a.flag {
		target, named := a.named[settings.Target]
		return target, named
	}
	if a.common == nil {
		return olm.Target{}, false
	}
	return *a.common, true
}

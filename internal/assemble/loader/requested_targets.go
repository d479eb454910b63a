package loader

import (
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/kube/olm"
)

// RequestedTargets are the targets that the user names: on the command line, for some files, or for all.
type RequestedTargets struct {
	config *settings.Config
	// flag tells that the command line names the target.
	flag bool
	// common is the target of the command line or else of the configuration; nil is auto.
	common *olm.Target
	named  map[string]olm.Target // of the overrides
}

// CheckTarget says what is wrong with the name of a target. Auto, and no name, leave it to the signs.
func CheckTarget(name string) error {
	if isAuto(name) {
		return nil
	}
	_, err := olm.ParseTarget(name)
	return err
}

func isAuto(name string) bool { return name == "" || name == "auto" }

// ReadRequestedTargets looks up the targets that the command line and the configuration name. The error offers the nearest name.
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

// Common is the target of the command line, or else of the configuration; nil when neither names one.
func (a *RequestedTargets) Common() *olm.Target { return a.common }

// For gives the target that the user named for a file: the flag goes before the overrides of the configuration, and these
// before its target.
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

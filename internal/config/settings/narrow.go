package settings

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// Ignores limit how many findings ignore comments, annotations, and the baseline silence together.
type Ignores struct {
	// Max is for all rules, and Rules for those that a pattern matches.
	Max   *int           `json:"max"`
	Rules map[string]int `json:"rules"`
}

// IgnoreLimit is how many findings of the rules that match a pattern can be silenced; From is what sets it.
type IgnoreLimit struct {
	Pattern string
	Max     int
	From    string
}

// narrowing are the keys that count in a file that narrows the settings of others.
var narrowing = []string{"extends", "failOn", "ignores", "overrides", "rules", "policies", "podSpecs", "embedded", "creators"}

// Narrow returns the configuration with another one that narrows it: its rules are on, at least with its severities, and its limits of ignores
// apply, whatever the configuration sets. Everything else stays. The paths of the other one are relative to the root of the repository.
func (c *Config) Narrow(by *Config) *Config {
	out := *c
	out.narrowedBy = append(slices.Clone(c.narrowedBy), by)
	if _, set := by.keysAt["failOn"]; set && by.FailOn != finding.Off && (c.FailOn == finding.Off || by.FailOn < c.FailOn) {
		out.FailOn = by.FailOn
	}
	out.PodSpecs = slices.Concat(c.PodSpecs, by.PodSpecs)
	out.Embedded = slices.Concat(c.Embedded, by.Embedded)
	out.Creators = c.creatorsUnder(by)
	return &out
}

// NarrowedBy returns the configurations that narrow this one.
func (c *Config) NarrowedBy() []*Config { return c.narrowedBy }

// SetOfCommand sets what OfCommand returns.
func (c *Config) SetOfCommand(is bool) { c.ofCommand = is }

// OfCommand reports, for a configuration that narrows others, whether the command line names it, or a file that extends it.
func (c *Config) OfCommand() bool { return c.ofCommand }

// WithoutEffect returns what a configuration sets that has no effect where it narrows others, with its places.
func (c *Config) WithoutEffect() []string {
	var remarks []string
	add := func(at position, what string) {
		remarks = append(remarks, fmt.Sprintf("%s:%d: %s", filepath.Base(c.Path), at.line, what))
	}
	keys := slices.SortedFunc(maps.Keys(c.keysAt), func(a, b string) int { return cmp.Compare(c.keysAt[a].line, c.keysAt[b].line) })
	for _, key := range keys {
		if !slices.Contains(narrowing, key) {
			add(c.keysAt[key], key+" has no effect on other settings: each repository keeps its own")
		}
	}
	for _, o := range c.Overrides {
		if o.Target != "" {
			add(o.targetAt, "target has no effect on other settings: each repository keeps its own")
		}
	}
	for _, rules := range c.allRules() {
		for _, r := range rules {
			if !r.SameSeverity && r.Severity == finding.Off {
				add(r.at, r.Pattern+": off has no effect on other settings: it can only turn rules on")
			}
		}
	}
	return remarks
}

// Require returns the configuration with rules of the policies of those that narrow it, which are as unavoidable as the rules that these
// name. Of a rule without a severity, only the parameters are.
func (c *Config) Require(severities map[string]finding.Severity) *Config {
	if len(severities) == 0 {
		return c
	}
	out := *c
	out.required = nil
	for _, rule := range slices.Sorted(maps.Keys(severities)) {
		severity := severities[rule]
		out.required = append(out.required, RuleSetting{Pattern: rule, Severity: severity, SameSeverity: severity == finding.Off})
	}
	return &out
}

// floorsFor returns the rule settings of the configurations that narrow this one for a file.
func (c *Config) floorsFor(file string) [][]RuleSetting {
	var floors [][]RuleSetting
	for _, by := range c.narrowedBy {
		floors = append(floors, by.Rules)
		for _, o := range by.Overrides {
			if slices.ContainsFunc(o.Paths, func(p glob.Path) bool { return p.Covers(file) }) {
				floors = append(floors, o.Rules)
			}
		}
	}
	if len(c.required) > 0 {
		floors = append(floors, c.required)
	}
	return floors
}

// Floor returns the severity that a rule has at least, whatever else is set; Off if there is none. Of one list, it is the one that
// [SeverityIn] returns; of several lists, the highest.
func (s Settings) Floor(rule string) finding.Severity {
	return highest(s.floors, rule)
}

func highest(floors [][]RuleSetting, rule string) finding.Severity {
	floor := finding.Off
	for _, layer := range floors {
		for _, name := range []string{rule, aboutSameGrant[rule]} {
			if severity, ok := SeverityIn(layer, name); ok && name != "" {
				floor = max(floor, severity)
			}
		}
	}
	return floor
}

// aboutSameGrant are the rules that report the same grant, each about other holders. Which of them reports it depends on the release that the
// repository sets, so what is required of one holds for both.
var aboutSameGrant = map[string]string{
	"rbac/cluster-admin-grant": "olm/cluster-admin-grant",
	"olm/cluster-admin-grant":  "rbac/cluster-admin-grant",
}

// FloorEverywhere is [Settings.Floor] of a rule for all files.
func (c *Config) FloorEverywhere(rule string) finding.Severity {
	floors := [][]RuleSetting{c.required}
	for _, by := range c.narrowedBy {
		floors = append(floors, by.Rules)
	}
	return highest(floors, rule)
}

// floorParameters returns the parameters of a rule that a narrowing configuration names; ok is false if none does. Then the repository
// cannot choose its parameters either.
func (s Settings) floorParameters(rule string) (with map[string]any, ok bool) {
	for _, layer := range slices.Backward(s.floors) {
		if with := parametersIn(layer, rule); with != nil {
			return with, true
		}
		ok = ok || slices.ContainsFunc(layer, func(r RuleSetting) bool { return glob.Rule(r.Pattern, rule) })
	}
	return nil, ok
}

// IgnoreLimits returns the limits of ignores of the configuration and of those that narrow it. A limit of a rule is also one of the rule that
// reports the same grant, unless that has its own.
func (c *Config) IgnoreLimits() []IgnoreLimit {
	var limits []IgnoreLimit
	for _, of := range append([]*Config{c}, c.narrowedBy...) {
		name := filepath.Base(of.Path)
		if of.Ignores.Max != nil {
			limits = append(limits, IgnoreLimit{"", *of.Ignores.Max, name + " (ignores.max)"})
		}
		for _, pattern := range slices.Sorted(maps.Keys(of.Ignores.Rules)) {
			limits = append(limits, IgnoreLimit{pattern, of.Ignores.Rules[pattern], name + " (ignores.rules)"})
			if other := aboutSameGrant[pattern]; other != "" && !of.Ignores.limits(other) {
				limits = append(limits, IgnoreLimit{other, of.Ignores.Rules[pattern], name + " (ignores.rules, " + pattern + ")"})
			}
		}
	}
	return limits
}

// limits reports whether a pattern matches a rule.
func (i Ignores) limits(rule string) bool {
	for pattern := range i.Rules {
		if glob.Rule(pattern, rule) {
			return true
		}
	}
	return false
}

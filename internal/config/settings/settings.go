package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// Settings are the settings that apply to one file.
type Settings struct {
	// Target is the target that an override sets for the file, or otherwise that of the configuration.
	Target string
	// Overridden is true if Target comes from an override.
	Overridden bool

	// layers are the rule settings that apply; a later layer takes precedence. floors are those that no layer can lower.
	layers, floors [][]RuleSetting
}

// For returns the settings for a file after all overrides; if several match, the last one wins.
func (c *Config) For(path string) Settings {
	s := Settings{Target: c.Target, floors: c.floorsFor(path)}
	if len(c.Rules) > 0 {
		s.layers = append(s.layers, c.Rules)
	}
	for _, o := range c.Overrides {
		if !slices.ContainsFunc(o.Paths, func(p glob.Path) bool { return p.Covers(path) }) {
			continue
		}
		if o.Target != "" {
			s.Target, s.Overridden = o.Target, true
		}
		if len(o.Rules) > 0 {
			s.layers = append(s.layers, o.Rules)
		}
	}
	return s
}

// Severity returns the severity that is set for a rule; ok is false if none is set. If several patterns of one list match,
// the rule's exact name wins, then the last pattern.
func (s Settings) Severity(rule string) (severity finding.Severity, ok bool) {
	for _, layer := range slices.Backward(s.layers) {
		if severity, ok := SeverityIn(layer, rule); ok {
			return severity, true
		}
	}
	return finding.Off, false
}

// SeverityIn returns the severity that a list of settings sets for a rule; ok is false if none does.
func SeverityIn(layer []RuleSetting, rule string) (severity finding.Severity, ok bool) {
	for _, r := range slices.Backward(layer) {
		if r.SameSeverity {
			continue
		}
		if r.Pattern == rule {
			return r.Severity, true
		}
		if !ok && glob.Rule(r.Pattern, rule) {
			severity, ok = r.Severity, true
		}
	}
	return severity, ok
}

// Parameters returns the parameters that are set for a rule; nil if none are. Of several, those of the last override count, and in one
// list those of the rule's exact name, then those of the last pattern. For a rule that a narrowing configuration names, only its own count.
func (s Settings) Parameters(rule string) map[string]any {
	if with, ok := s.floorParameters(rule); ok {
		return with
	}
	for _, layer := range slices.Backward(s.layers) {
		if with := parametersIn(layer, rule); with != nil {
			return with
		}
	}
	return nil
}

func parametersIn(layer []RuleSetting, rule string) (with map[string]any) {
	for _, r := range slices.Backward(layer) {
		switch {
		case r.With == nil:
		case r.Pattern == rule:
			return r.With
		case with == nil && glob.Rule(r.Pattern, rule):
			with = r.With
		}
	}
	return with
}

// Given are parameters of the rules of a pattern, with their place in the file.
type Given struct {
	Pattern, Place string
	With           map[string]any
}

// GivenParameters returns all parameters of rules, in the order of the file, and those of narrowing configurations.
func (c *Config) GivenParameters() []Given {
	var all []Given
	for _, by := range c.narrowedBy {
		all = append(all, by.GivenParameters()...)
	}
	for _, rules := range c.allRules() {
		for _, r := range rules {
			if r.With != nil {
				all = append(all, Given{r.Pattern, fmt.Sprintf("%s:%d:%d", c.Path, r.at.line, r.at.column), r.With})
			}
		}
	}
	return all
}

// Enabled returns the patterns of rules that have a severity anywhere, also in a narrowing configuration, in the order of the file. A rule that is off by
// default must run as soon as one path enables it.
func (c *Config) Enabled() []string {
	var out []string
	for _, by := range c.narrowedBy {
		out = append(out, by.Enabled()...)
	}
	for _, rules := range c.allRules() {
		for _, r := range rules {
			if !r.SameSeverity && r.Severity != finding.Off && !slices.Contains(out, r.Pattern) {
				out = append(out, r.Pattern)
			}
		}
	}
	return out
}

func (c *Config) allRules() [][]RuleSetting {
	all := [][]RuleSetting{c.Rules}
	for _, o := range c.Overrides {
		all = append(all, o.Rules)
	}
	return all
}

// CheckGrant returns an error if a value of `grant:` or --grant is unknown.
func CheckGrant(how string) error {
	if role, ok := strings.CutPrefix(how, "role="); ok && role != "" {
		return nil
	}
	if slices.Contains(grants, how) {
		return nil
	}
	return unknownName("value of grant", how, append(slices.Clone(grants), "role=NAME"))
}

var grants = []string{"carry-over", "least-privilege", "group"}

// ParseFailOn returns the minimum severity that fails a run, from the value of `failOn:` or --fail-on. Off means never.
func ParseFailOn(name string) (finding.Severity, error) {
	if name == never {
		return finding.Off, nil
	}
	severity, err := finding.ParseSeverity(name)
	if err != nil || severity == finding.Off {
		return finding.Off, unknownName("severity", name, []string{"error", "warning", "note", never})
	}
	return severity, nil
}

const never = "never"

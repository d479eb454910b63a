package settings

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/glob"
)

// Settings are what holds for one file.
type Settings struct {
	// Target is the one that an override sets for the file, else that of the configuration.
	Target string
	// Overridden tells that Target comes from an override.
	Overridden bool

	// layers are the rule settings that apply; a later layer wins.
	layers [][]RuleSetting
}

// For gives the settings for a file, after all overrides; of several that match, the last one wins.
func (c *Config) For(path string) Settings {
	s := Settings{Target: c.Target}
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

// Severity gives the severity that is set for a rule; it is not ok when none is. Where several patterns of one list
// match, the rule's own name wins, then the last one.
func (s Settings) Severity(rule string) (severity finding.Severity, ok bool) {
	for _, layer := range slices.Backward(s.layers) {
		if severity, ok := severityIn(layer, rule); ok {
			return severity, true
		}
	}
	return finding.Off, false
}

func severityIn(layer []RuleSetting, rule string) (severity finding.Severity, ok bool) {
	for _, r := range slices.Backward(layer) {
		if r.Pattern == rule {
			return r.Severity, true
		}
		if !ok && glob.Rule(r.Pattern, rule) {
			severity, ok = r.Severity, true
		}
	}
	return severity, ok
}

// Enabled gives the patterns of rules that are given a severity anywhere, in the order of the file: a rule that is off
// unless asked for has to run as soon as one path asks.
func (c *Config) Enabled() []string {
	var out []string
	for _, rules := range c.allRules() {
		for _, r := range rules {
			if r.Severity != finding.Off && !slices.Contains(out, r.Pattern) {
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

// CheckGrant says what is wrong with a way to grant permissions, as `grant:` and --grant take it.
func CheckGrant(how string) error {
	if role, ok := strings.CutPrefix(how, "role="); ok && role != "" {
		return nil
	}
	if slices.Contains(grants, how) {
		return nil
	}
	return unknown("way to grant permissions", how, append(slices.Clone(grants), "role=NAME"))
}

var grants = []string{"carry-over", "least-privilege", "group"}

// ParseFailOn reads the severity from which on a run fails, as `failOn:` and --fail-on take it. Off stands for never.
func ParseFailOn(name string) (finding.Severity, error) {
	if name == never {
		return finding.Off, nil
	}
	severity, err := finding.ParseSeverity(name)
	if err != nil || severity == finding.Off {
		return finding.Off, unknown("severity", name, []string{"error", "warning", "note", never})
	}
	return severity, nil
}

const never = "never"

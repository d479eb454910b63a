package settings

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
)

// TargetEntry is a line of the configuration that sets a target.
type TargetEntry struct {
	// Override is the index of the override that sets it, or -1 for the target of the whole repository.
	Override     int
	Target       string
	Line, Column int
}

// TargetEntryFor returns the entry that sets the target of a file; ok is false if none does, so that the target is detected.
func (c *Config) TargetEntryFor(path string) (entry TargetEntry, ok bool) {
	entry = TargetEntry{-1, c.Target, c.targetAt.line, c.targetAt.column}
	for i, o := range c.Overrides {
		if o.Target != "" && slices.ContainsFunc(o.Paths, func(p glob.Path) bool { return p.Covers(path) }) {
			entry = TargetEntry{i, o.Target, o.targetAt.line, o.targetAt.column}
		}
	}
	return entry, entry.Target != "" && entry.Target != "auto"
}

// SetTargets returns the text of a configuration file with another target in some of its entries. All other bytes stay. The error says
// what must be changed by hand.
func SetTargets(file string, data []byte, entries []TargetEntry, target string) ([]byte, error) {
	parsed := manifest.Scan(file, data)
	if len(parsed.Docs) != 1 {
		return nil, fmt.Errorf("%s: expected one document", file)
	}
	if err := parsed.Docs[0].Parse(); err != nil {
		return nil, err
	}
	type edit struct{ start, end int }
	var edits []edit
	for _, e := range entries {
		path := manifest.Path{"target"}
		if e.Override >= 0 {
			path = manifest.Path{"overrides", strconv.Itoa(e.Override), "target"}
		}
		value := parsed.Docs[0].Root.Lookup(path)
		if value == nil || value.String() != e.Target {
			return nil, notChanged(file, e, target)
		}
		edits = append(edits, edit{value.Span().Start, value.Span().End})
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start }) // from the end, so that the places of the others stay
	out := slices.Clone(data)
	for _, e := range edits {
		out = slices.Concat(out[:e.start], []byte(target), out[e.end:])
	}
	return out, checkTargets(file, out, entries, target)
}

func notChanged(file string, e TargetEntry, target string) error {
	return fmt.Errorf("%s:%d: the target cannot be changed here: change it to %s by hand", file, e.Line, target)
}

// checkTargets returns an error if a text that was edited does not have a target where it was set, or is no configuration.
func checkTargets(file string, edited []byte, entries []TargetEntry, target string) error {
	c, err := Parse(file, edited)
	if err != nil {
		return fmt.Errorf("the target cannot be changed: %w", err)
	}
	for _, e := range entries {
		now := c.Target
		if e.Override >= 0 && e.Override < len(c.Overrides) {
			now = c.Overrides[e.Override].Target
		}
		if now != target {
			return notChanged(file, e, target)
		}
	}
	return nil
}

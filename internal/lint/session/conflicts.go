package session

import (
	"cmp"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/targetconflict"
)

// conflicts are the conflicts between the target of the command line and those of the configuration.
type conflicts struct {
	found []finding.Finding
	// refused is why nothing is fixed; nil if fixes do not contradict the configuration, or if the run changes it by write.
	refused error
	write   *commit.Write
}

// findConflicts looks for conflicts once in a session: later rounds fix what the first one has allowed.
func (s *Session) findConflicts(j judged, found []judging.Finding) {
	flag := s.requested.Flag()
	if s.conflicts != nil || flag == nil {
		return
	}
	s.conflicts = &conflicts{}
	o := s.options
	in := targetconflict.Input{
		Config: o.Config, File: o.ConfigFile, Flag: *flag, Judge: j.judge, Report: j.report, Found: found, Shared: o.Fixes.Shared,
	}
	all := targetconflict.Find(in)
	contradictions := targetconflict.Contradictions(all)
	if len(contradictions) > 0 && o.OnConflict != nil {
		o.OnConflict()
	}
	switch {
	case !o.Fixes.Apply:
	case o.SetTarget:
		write, ok, err := targetconflict.SetWrite(in, all, o.Tree.Read)
		if s.conflicts.refused = err; ok && err == nil {
			s.conflicts.write = &write
		}
	case len(contradictions) > 0:
		s.conflicts.refused = &targetconflict.Refused{Flag: *flag, Conflicts: contradictions, File: cmp.Or(o.ConfigFile, o.Config.Path)}
	}
	for _, f := range targetconflict.Findings(in, all, s.conflicts.write != nil && !o.Fixes.Preview) {
		if s.severities.ConfigureAny(&f) {
			s.conflicts.found = append(s.conflicts.found, f)
		}
	}
}

// addConflicts adds the conflicts to an outcome, and the change of the configuration, which is written first: a run that is interrupted
// after it finds by the new target what is left to fix.
func (s *Session) addConflicts(out *Outcome) {
	c := s.conflicts
	if c == nil {
		return
	}
	out.Findings = append(out.Findings, c.found...)
	finding.Sort(out.Findings)
	if c.refused != nil {
		out.Faults = append(out.Faults, c.refused)
	}
	if c.write == nil {
		return
	}
	out.Writes = sortedByPath(append(out.Writes, *c.write))
	for i := range out.Steps {
		out.Steps[i].Order++
	}
	c.write.Order = 0
	out.Steps = slices.Insert(out.Steps, 0, *c.write)
}

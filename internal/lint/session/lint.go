package session

import (
	"context"
	"errors"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
)

// Run lints a repository, and fixes it if the options say so. An error means that there is no outcome: the options are wrong,
// or a policy cannot be compiled.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	s, err := NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Run(ctx)
}

// judged has the findings in one snapshot, with the judge that found them and the report that chooses among them.
type judged struct {
	judge  *judging.Judge
	report *judging.Report
	found  []judging.Finding
}

// lint judges a snapshot and plans its fixes.
func (s *Session) lint(ctx context.Context, files *reading.Snapshot) (*Outcome, error) {
	files, err := s.findLost(ctx, files)
	if err != nil {
		return nil, err
	}
	if files, err = s.readHolders(ctx, files); err != nil {
		return nil, err
	}
	end := s.stats.timed("evaluating")
	round, err := s.judge(ctx, files)
	if end(); err != nil {
		return nil, err
	}
	s.stats.addEvaluations(round.judge.Counters)
	defer s.stats.timed("fixing and reporting")()
	return s.finish(ctx, round)
}

// readHolders returns a snapshot with all objects if any of them can be connected with something that is no object: what grants a role to an
// account whose token is in a file, and what reads a Secret of an account of Grafana that is removed.
func (s *Session) readHolders(ctx context.Context, files *reading.Snapshot) (*reading.Snapshot, error) {
	if s.options.everything || !files.TokenTexts.HaveTokens(s.options.Now) && !s.removesGrafanaAccounts(files) {
		return files, nil
	}
	return s.readEverything(ctx)
}

func (s *Session) removesGrafanaAccounts(files *reading.Snapshot) bool {
	r := s.options.Revision
	former := reading.NewFormerObjects(r.Base, r.Changed, r.Deleted, nil)
	return len(former.Removed(files.Units, "grafana.integreatly.org", "GrafanaServiceAccount", "", "")) > 0
}

// readEverything returns a snapshot with all objects.
func (s *Session) readEverything(ctx context.Context) (*reading.Snapshot, error) {
	s.options.everything = true
	files, err := s.takeSnapshot(ctx, s.tree)
	if err != nil {
		return nil, err
	}
	s.snapshot = files
	return files, nil
}

func (s *Session) judge(ctx context.Context, files *reading.Snapshot) (judged, error) {
	o := s.judgingOptions()
	judge := judging.NewJudge(o, files, s.requested.For)
	found, err := judge.Findings(ctx)
	if err != nil {
		return judged{}, err
	}
	return judged{judge, judging.NewReport(o, judge, s.earlier), found}, nil
}

// finish fixes, silences and counts findings.
func (s *Session) finish(ctx context.Context, j judged) (*Outcome, error) {
	if err := s.compareWithEarlier(ctx, j); err != nil {
		return nil, err
	}
	j.report.CountUnreported(j.found)
	found := slices.DeleteFunc(j.found, func(f judging.Finding) bool { return !j.report.Reports(f) })
	s.findConflicts(j, found)
	fixes := fixing.NewRound(s.fixingOptions(), j.judge, j.report)
	findings, err := fixes.Fix(ctx, found)
	if err != nil {
		return nil, err
	}
	out := newOutcome(append(findings, j.report.AfterSilence()...), j, fixes.Result())
	if s.options.Inventory {
		out.Inventory = &finding.Inventory{Roles: j.report.PowerRoles(), Bindings: j.report.OpenBindings()}
	}
	if s.options.Describe {
		out.Rules = judging.RuleInfos(s.registry)
	}
	return out, nil
}

// newOutcome returns the outcome of a round. It keeps nothing of its units.
func newOutcome(findings []finding.Finding, j judged, fixes fixing.Result) *Outcome {
	said, read := j.report.Result(), j.judge.Snapshot.Collection
	for _, all := range [][]finding.Finding{findings, said.Suppressed} {
		for i := range all {
			j.report.Place(&all[i])
		}
		finding.Sort(all)
	}
	out := &Outcome{
		Findings: findings, Suppressed: said.Suppressed, Baseline: said.Baseline, Target: j.report.CommonTarget(), Extensions: j.report.Extensions(),
		Notes: slices.Concat(j.judge.Targets.AssumptionNotes(), said.Notes), Source: j.report.Sources(), Parsed: j.judge.Snapshot.Parsed.Documents,
		Incomplete: said.Incomplete, Stacks: said.Stacks,
		Writes: fixes.Writes, Steps: fixes.Steps, ChangedUnits: fixes.ChangedUnits, Permissions: fixes.Permissions,
		Leftovers: fixes.Leftovers, LeftoversElsewhere: fixes.LeftoversElsewhere,
		left: fixes.Left, previewed: fixes.Previewed, waiting: fixes.Waiting,
	}
	for _, note := range fixes.Notes {
		out.Notes = words.AddOnce(out.Notes, note)
	}
	for _, n := range j.judge.Counters.Evaluations {
		out.Evaluations += n
	}
	for _, name := range read.Names {
		if j.report.Reported(name) {
			out.Reported++
		}
	}
	out.Unread = j.report.UnreadFiles(read.Names)
	out.Summary.Files, out.Summary.Documents = len(read.Names), read.Documents
	out.Summary.Suppressed, out.Summary.Unchanged, out.Summary.NotChecked = len(said.Suppressed), said.Unchanged, said.NotChecked
	out.Summary.Count(findings)
	return out
}

// compareWithEarlier lints the revision if findings in files that did not change may be new. It does so once in a session: later rounds
// only see what fixes left.
func (s *Session) compareWithEarlier(ctx context.Context, j judged) error {
	if s.options.Before == nil || s.earlier != nil || !j.report.NeedsEarlier(j.found) {
		return nil
	}
	known, err := s.lintEarlier(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.earlier = &judging.Earlier{Known: known, Reason: err}
	j.report.CompareWith(s.earlier)
	return nil
}

// lintEarlier returns the fingerprints of the findings of the revision, with the settings of this run.
func (s *Session) lintEarlier(ctx context.Context) (known map[string]bool, err error) {
	err = s.look(ctx, s.options.Before, func(before *Session, files *reading.Snapshot) error {
		j, err := before.judge(ctx, files)
		if err != nil {
			return err
		}
		if failed := j.report.Result().Failed; len(failed) > 0 {
			return errors.New(failed[0].Message)
		}
		known = j.report.Fingerprints(j.found)
		return nil
	})
	return known, err
}

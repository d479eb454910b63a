package lint

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/rules"
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

// run lints one snapshot of the files.
type run struct {
	*Session
	*reading.Snapshot
	judging *judge
	// outcome is separate from the run, because it is needed when the units of the run no longer are.
	outcome *Outcome
}

// lint judges a snapshot and plans its fixes.
func (s *Session) lint(ctx context.Context, files *reading.Snapshot) (*Outcome, error) {
	r := &run{Session: s, Snapshot: files, outcome: &Outcome{}}
	end := s.stats.timed("evaluating")
	found, err := r.judge(ctx)
	if end(); err != nil {
		return nil, err
	}
	defer s.stats.timed("fixing and reporting")()
	return r.finish(ctx, found)
}

func (r *run) judge(ctx context.Context) ([]judgedFinding, error) {
	enabled := r.enabled
	if !r.Kinds[""] && !r.everything {
		enabled = r.registry.Starting(enabled, r.Kinds)
	}
	evaluator, err := r.registry.Evaluator(ctx, enabled)
	if err != nil {
		return nil, err
	}
	evaluator.Skippable, evaluator.All = r.FindsNothing, r.everything
	r.judging = r.newJudge(evaluator, newTargetResolver(r.requested.For))
	found, err := r.judging.judgeAll(ctx)
	if err != nil {
		return nil, err
	}
	r.outcome.addFailures(r.judging.failed)
	r.judging.forget()
	counters := evaluator.Counters()
	r.stats.addEvaluations(counters)
	for _, n := range counters.Evaluations {
		r.outcome.Evaluations += n
	}
	return r.configured(found), nil
}

// configured sets the configured severities of findings, and drops the findings of rules that are off.
func (r *run) configured(found []judgedFinding) []judgedFinding {
	var kept []judgedFinding
	for _, f := range found {
		if r.configure(&f.Finding) {
			kept = append(kept, f)
		}
	}
	return kept
}

// configure sets the configured severity of a finding. It returns false if the rule is off for its file.
func (s *Session) configure(f *finding.Finding) bool {
	if severity, set := s.Config.For(f.File).Severity(f.Rule); set && !s.enabledByFlag(f.Rule) {
		f.Severity = severity
	}
	return f.Severity != finding.Off && s.isEnabled[f.Rule]
}

// enabledByFlag reports whether --enable names a rule. The command line takes precedence over `off` in the configuration.
func (s *Session) enabledByFlag(rule string) bool {
	return slices.ContainsFunc(slices.Concat(s.Enable, s.Only), func(pattern string) bool { return rules.Match(pattern, rule) })
}

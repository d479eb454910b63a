package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/reuse"
	"github.com/salint/salint/rules"
)

// Session lints one repository, once or in several rounds. It owns what stays the same between rounds: the rules, the compiled
// policies, the requested targets, and the child processes that build. It also owns the snapshot of the current round, with the
// units that were built from it. A round replaces the snapshot and nothing else. See docs/fixing-rounds.md.
type Session struct {
	Options
	registry *rules.Registry
	// enabled are the names of the rules that are evaluated.
	enabled   []string
	isEnabled map[string]bool
	requested *loader.RequestedTargets
	workers   *render.Workers
	// snapshot is that of the current round.
	snapshot *reading.Snapshot
	stats    Stats
	// acting are the extensions for which OLM acts as accounts until the run's changes are applied; nil before the first round.
	acting *actingExtensions
	// parsed are files that the round before and its proofs have parsed, until this round has read its own.
	parsed   reading.ParsedFiles
	progress reading.Progress
	// earlier is what is known of the revision of Options.Before; nil until a round needs it.
	earlier *earlier
}

// NewSession checks the options and loads the rules. Close ends the session.
func NewSession(ctx context.Context, o Options) (*Session, error) {
	s := &Session{Options: o}
	s.progress.Display = o.Progress
	s.everything = s.everything || len(o.Leftovers.Objects) > 0
	if s.Bundles == nil {
		s.Bundles = &bundles.Library{}
	}
	err := loader.CheckTarget(o.Target)
	if err != nil {
		return nil, err
	}
	s.registry, err = rules.Load(ctx, rules.Options{
		PolicyDirs:  o.Policies,
		OpenDir:     o.OpenPolicies,
		EvalTimeout: o.Config.Limits.PolicyTime,
		PodSpecs:    loader.PodSpecs(o.Config),
		PolicyCache: o.PolicyCache,
	})
	if err != nil {
		return nil, err
	}
	s.workers = render.NewWorkers(renderLimits(o.Config))
	s.workers.OnDone(func() { s.progress.Step(reading.Building, reading.Verifying) })
	s.workers.Reuse(cmp.Or(o.Builds, reuse.New(reuse.DefaultMemory)))
	if o.Store != nil && !o.Fixes.Apply && !o.Fixes.Prove { // a proof relies on what this run has built
		s.workers.Store(o.Store, o.StoreScope)
	}
	if err := s.check(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// check checks the options with the rules, and selects the rules to evaluate.
func (s *Session) check() (err error) {
	if err := s.Config.Validate(loader.CheckTarget, s.registry.Names()); err != nil {
		return err
	}
	if s.requested, err = loader.ReadRequestedTargets(s.Target, s.Config); err != nil {
		return err
	}
	return s.selectRules()
}

// Close ends the child processes.
func (s *Session) Close() {
	s.workers.Close()
	s.registry.Close()
}

// Run lints the repository, and applies fixes in rounds if the options say so. If nothing could be fixed because the target is
// unknown, a *TargetError is among the faults of the outcome.
func (s *Session) Run(ctx context.Context) (*Outcome, error) {
	out, err := s.lintAll(ctx)
	if err != nil {
		return nil, err
	}
	s.stats.Rendered = s.workers.Counters()
	out.Stats = s.stats
	for _, note := range s.requested.AssumptionNotes() {
		out.Notes = appendOnce(out.Notes, note) // also if no object has this target
	}
	out.Each, out.Findings = out.Findings, foldBroken(out.Findings)
	out.Summary.Count(out.Findings)
	out.Summary.Unchecked = s.unchecked(len(out.Findings))
	if note := s.hiddenNote(); note != "" {
		out.Notes = append(out.Notes, note)
	}
	if note := s.vendoredNote(); note != "" && out.Summary.Unchecked == "" {
		out.Notes = append(out.Notes, note)
	}
	return out, nil
}

// lintAll lints the repository in as many rounds as the fixes need.
func (s *Session) lintAll(ctx context.Context) (*Outcome, error) {
	out, err := s.round(ctx, s.Tree)
	if err != nil || !s.Fixes.Apply {
		return out, err
	}
	if len(out.Writes) == 0 {
		if out.waiting != nil {
			out.Faults = append(out.Faults, out.waiting)
		}
		return out, nil
	}
	return s.fixRounds(ctx, out)
}

// round replaces the snapshot by one of a tree, and lints it.
func (s *Session) round(ctx context.Context, tree loader.Tree) (*Outcome, error) {
	if s.snapshot != nil {
		s.parsed.Keep(s.snapshot)
	}
	s.snapshot = nil // the units of the round before are not kept in memory while those of this one are made
	var err error
	if s.snapshot, err = s.takeSnapshot(ctx, tree); err != nil {
		return nil, err
	}
	defer func() { s.stats.addSnapshot(s.snapshot) }()
	return s.lint(ctx, s.snapshot)
}

// takeSnapshot reads a tree and builds its units.
func (s *Session) takeSnapshot(ctx context.Context, tree loader.Tree) (*reading.Snapshot, error) {
	s.Bundles.Define = func(ctx context.Context, kinds []string) ([]map[string]any, error) {
		return reading.Definitions(ctx, tree, s.walkOptions(), kinds)
	}
	r := reading.NewReader(s.readingOptions(), tree)
	end := s.stats.timed("reading")
	err := r.Read(ctx)
	if end(); err != nil {
		return nil, err
	}
	defer s.stats.timed("building")()
	return r.Build(ctx)
}

func (s *Session) readingOptions() reading.Options {
	return reading.Options{
		Registry: s.registry, Enabled: s.enabled, Config: s.Config, Requested: s.requested, Bundles: s.Bundles, Charts: s.Charts,
		Walk: s.walkOptions(), Workers: s.workers, Progress: &s.progress, Parsed: &s.parsed, Vendored: s.Vendored,
		GrantedRole: s.Fixes.Grant.Role, AnyFile: s.Changed != nil, Verifies: s.Fixes.Apply || s.Fixes.Prove,
		Everything: s.everything, Eager: s.eager, ApplicationsAtOnce: s.applicationsAtOnce,
	}
}

func (s *Session) selectRules() (err error) {
	s.enabled, err = s.registry.Select(slices.Concat(s.Config.Enabled(), s.Enable, s.Only), s.Disable)
	s.enabled = slices.DeleteFunc(s.enabled, func(name string) bool { return s.lacksBundles(name) || s.isLeftOut(name) })
	s.isEnabled = map[string]bool{}
	for _, name := range s.enabled {
		s.isEnabled[name] = true
	}
	return err
}

// isLeftOut reports whether Only leaves a rule out. The rules repo/* say what was not checked, so they stay.
func (s *Session) isLeftOut(name string) bool {
	matches := func(pattern string) bool { return rules.Match(pattern, name) }
	return len(s.Only) > 0 && !slices.ContainsFunc(s.Only, matches) && !strings.HasPrefix(name, "repo/")
}

// lacksBundles reports whether a rule needs bundles that are not configured. It finds nothing, so it need not be compiled.
func (s *Session) lacksBundles(name string) bool {
	rule, _, _ := s.registry.Find(name)
	switch rule.Needs {
	case rules.NeedsBundle:
		return !s.Bundles.Any()
	case rules.NeedsBase:
		return !s.Bundles.Any() || s.Bundles.Base == nil
	}
	return false
}

func (s *Session) walkOptions() repo.WalkOptions {
	return repo.WalkOptions{
		Exclude:     slices.Concat(s.Config.ExcludePatterns(), s.Bundles.Exclude()),
		MaxFileSize: s.Config.Limits.FileSize,
		Own:         s.isOwn,
	}
}

func renderLimits(c *settings.Config) render.Limits {
	return render.Limits{Time: c.Limits.RenderTime, Memory: c.Limits.RenderMemory}
}

package session

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/fields"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/lint/fixing"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/reuse"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// Session lints one repository, once or in several rounds. It owns what stays the same between rounds: the rules, the compiled
// policies, the requested targets, and the child processes that build. It also owns the snapshot of the current round, with the
// units that were built from it. A round replaces the snapshot and nothing else. See docs/fixing-rounds.md.
type Session struct {
	options  Options
	registry *rules.Registry
	// enabled are the names of the rules that are evaluated.
	enabled    []string
	severities *judging.Severities
	requested  *loader.RequestedTargets
	workers    *render.Workers
	// tree and snapshot are those of the current round.
	tree     loader.Tree
	snapshot *reading.Snapshot
	stats    Stats
	// acting are the extensions for which OLM acts as accounts until the run's changes are applied.
	acting fixing.Acting
	// lost are accounts that extensions named at the revision of --changed-since, lostRead is set once it was read, and lostUnknown is why
	// they are not known; "" if they are.
	lost        fixing.Lost
	lostRead    bool
	lostUnknown string
	// parsed are files that the round before and its proofs have parsed, until this round has read its own.
	parsed   reading.ParsedFiles
	progress reading.Progress
	// fixed is what the fixes of the rounds have changed.
	fixed fields.Earlier
	// conflicts is what is known of conflicts between targets; nil until a round has found them.
	conflicts *conflicts
	// earlier is what is known of the revision of Options.Before; nil until a round needs it.
	earlier *judging.Earlier
}

// NewSession checks the options and loads the rules. Close ends the session.
func NewSession(ctx context.Context, o Options) (*Session, error) {
	s := &Session{options: o}
	s.acting.Read = s.readApplied
	s.progress.Display = o.Progress
	s.options.everything = o.everything || len(o.Leftovers.Objects) > 0
	if o.Bundles == nil {
		s.options.Bundles = &bundles.Library{}
	}
	err := loader.CheckTarget(o.Target)
	if err != nil {
		return nil, err
	}
	if s.registry, err = s.rules(ctx); err != nil {
		return nil, err
	}
	s.options.Config = o.Config.Require(platformRules(s.registry))
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

// rules returns the rules of the options.
func (s *Session) rules(ctx context.Context) (*rules.Registry, error) {
	o := s.options
	if o.Registry != nil {
		return o.Registry.With(s.parameters()), nil
	}
	return rules.Load(ctx, rules.Options{
		PolicyDirs:  o.Policies,
		Platform:    o.PlatformPolicies,
		OpenDir:     o.OpenPolicies,
		Observe:     o.Observe,
		Explain:     o.Explain,
		Parameters:  s.parameters(),
		EvalTimeout: o.Config.Limits.PolicyTime,
		PodSpecs:    loader.PodSpecs(o.Config),
		Creators:    o.Config.Creators,
		PolicyCache: o.PolicyCache,
	})
}

// check checks the options with the rules, and selects the rules to evaluate.
func (s *Session) check() (err error) {
	if err := s.options.Config.Validate(loader.CheckTarget, s.registry.Names()); err != nil {
		return err
	}
	if s.requested, err = loader.ReadRequestedTargets(s.options.Target, s.options.Config); err != nil {
		return err
	}
	if err := s.selectRules(); err != nil {
		return err
	}
	return s.registry.CheckParameters(s.enabled)
}

// platformRules returns the severities of the rules of the platform's policies; Off for those that are off by default.
func platformRules(registry *rules.Registry) map[string]finding.Severity {
	severities := map[string]finding.Severity{}
	for _, rule := range registry.Platform() {
		severities[rule.Name] = rule.Severity
		if rule.OptIn {
			severities[rule.Name] = finding.Off
		}
	}
	return severities
}

// parameters returns the parameters of rules in the configuration.
func (s *Session) parameters() rules.Parameters {
	p := rules.Parameters{Of: func(rule, file string) map[string]any { return s.options.Config.For(file).Parameters(rule) }}
	for _, given := range s.options.Config.GivenParameters() {
		p.Given = append(p.Given, rules.GivenParameters(given))
	}
	return p
}

// Close ends the child processes.
func (s *Session) Close() {
	s.workers.Close()
	if s.options.Registry == nil {
		s.registry.Close()
	}
}

// Run lints the repository, and applies fixes in rounds if the options say so. If nothing could be fixed because the target is
// unknown, a *TargetError is among the faults of the outcome.
func (s *Session) Run(ctx context.Context) (*Outcome, error) {
	out, err := s.lintAll(ctx)
	if err != nil {
		return nil, err
	}
	s.stats.Rendered = s.workers.Counters()
	out.Stats, out.RulesOff = s.stats, s.rulesOff()
	for _, note := range s.registry.Notes() {
		out.Notes = append(out.Notes, s.judgingOptions().WithoutFolders(note))
	}
	out.Notes = append(out.Notes, s.stats.Remarks...)
	for _, note := range s.requested.AssumptionNotes() {
		out.Notes = words.AddOnce(out.Notes, note) // also if no object has this target
	}
	out.Each, out.Findings = out.Findings, judging.FoldBroken(out.Findings)
	s.addConflicts(out)
	out.Summary.Count(out.Findings)
	coverage := judging.Coverage{Options: s.judgingOptions(), Snapshot: s.snapshot}
	out.Summary.Unchecked = coverage.Unchecked(len(out.Findings))
	if s.lostUnknown != "" {
		out.Notes = append(out.Notes, s.lostUnknown)
	}
	out.LeftOut = s.options.Bundles.Exclude()
	if note := coverage.HiddenNote(); note != "" {
		out.Notes = append(out.Notes, note)
	}
	if note := coverage.DependenciesNote(); note != "" && out.Summary.Unchecked == "" {
		out.Notes = append(out.Notes, note)
		out.LeftOut = append(out.LeftOut, judging.Vendored)
	}
	if out.Summary.Unchecked != "" {
		return out, nil
	}
	out.Elsewhere, _ = coverage.Elsewhere()
	if note := coverage.ElsewhereNote(s.options.Workspace); note != "" {
		out.Notes = append(out.Notes, note)
	}
	return out, nil
}

// lintAll lints the repository in as many rounds as the fixes need. It begins again if fixes of two rounds contradict each other, which
// are refused then.
func (s *Session) lintAll(ctx context.Context) (*Outcome, error) {
	const most = 10 // a rule can compute another value each time
	changed := s.options.Revision.Changed
	for n := 1; ; n++ {
		out, err := s.lintRounds(ctx)
		if err != nil || !s.fixed.Again() || n == most {
			return out, err
		}
		s.options.Revision.Changed = changed
	}
}

func (s *Session) lintRounds(ctx context.Context) (*Outcome, error) {
	out, err := s.round(ctx, s.options.Tree)
	if err != nil || !s.options.Fixes.Apply {
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
	s.tree = tree
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
	s.options.Bundles.Define = func(ctx context.Context, kinds []string) ([]map[string]any, error) {
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
		Registry: s.registry, Enabled: s.enabled, Config: s.options.Config, Requested: s.requested, Bundles: s.options.Bundles, Charts: s.options.Charts,
		Walk: s.walkOptions(), Workers: s.workers, Progress: &s.progress, Parsed: &s.parsed, Vendored: s.options.Vendored,
		GrantedRole: s.options.Fixes.Grant.Role, AnyFile: s.options.Revision.Changed != nil, Verifies: s.options.Fixes.Apply || s.options.Fixes.Prove,
		Kinds: s.options.Kinds, Everything: s.options.everything, Eager: s.options.eager, ApplicationsAtOnce: s.options.applicationsAtOnce,
	}
}

func (s *Session) selectRules() (err error) {
	s.enabled, err = s.registry.Select(slices.Concat(s.options.Config.Enabled(), s.options.Enable, s.options.Only), s.options.Disable)
	s.enabled = slices.DeleteFunc(s.enabled, func(name string) bool { return s.lacksBundles(name) || s.isLeftOut(name) })
	s.severities = judging.NewSeverities(s.options.Config, s.options.Enable, s.options.Only, s.enabled)
	return err
}

// rulesOff returns Outcome.RulesOff. A rule that Only leaves out is not off: the run was limited. What the platform requires stays on whatever
// the repository sets, but not against Disable, which is the caller's.
func (s *Session) rulesOff() []string {
	var off, required []string
	for _, by := range s.options.Config.NarrowedBy() {
		required = append(required, by.Enabled()...)
	}
	for _, rule := range s.registry.Rules() {
		byCaller := rules.MatchAny(s.options.Disable, rule.Name) && (!rule.OptIn || rules.MatchAny(required, rule.Name))
		if byCaller || !rule.OptIn && s.offInRepository(rule.Name) {
			off = append(off, rule.Name)
		}
	}
	slices.Sort(off)
	return off
}

// offInRepository reports whether the configuration turns off a rule, for all files or for some, that nothing else turns on for all of them.
func (s *Session) offInRepository(rule string) bool {
	o := s.options
	if rules.MatchAny(slices.Concat(o.Enable, o.Only), rule) || o.Config.FloorEverywhere(rule) != finding.Off {
		return false
	}
	isOff := func(layer []settings.RuleSetting) bool {
		severity, set := settings.SeverityIn(layer, rule)
		return set && severity == finding.Off
	}
	return isOff(o.Config.Rules) || slices.ContainsFunc(o.Config.Overrides, func(o settings.Override) bool { return isOff(o.Rules) })
}

// isLeftOut reports whether Only leaves a rule out. The rules repo/* say what was not checked, so they stay.
func (s *Session) isLeftOut(name string) bool {
	matches := func(pattern string) bool { return rules.Match(pattern, name) }
	return len(s.options.Only) > 0 && !slices.ContainsFunc(s.options.Only, matches) && !strings.HasPrefix(name, "repo/")
}

// lacksBundles reports whether a rule needs bundles that are not configured. It finds nothing, so it need not be compiled.
func (s *Session) lacksBundles(name string) bool {
	rule, _, _ := s.registry.Find(name)
	switch rule.Needs {
	case metadata.NeedsBundle:
		return !s.options.Bundles.Any()
	case metadata.NeedsBase:
		return !s.options.Bundles.Any() || s.options.Bundles.Base == nil
	}
	return false
}

func (s *Session) judgingOptions() judging.Options {
	o := s.options
	return judging.Options{
		Registry: s.registry, Enabled: s.enabled, Severities: s.severities, Config: o.Config, ConfigFile: o.ConfigFile, BaselineFile: o.BaselineFile,
		Policies: o.Policies, Target: o.Target, Requested: s.requested, Only: o.Only, Disable: o.Disable, Bundles: o.Bundles,
		Walk: s.walkOptions(), Original: o.Tree, Baseline: o.Baseline, Now: o.Now, Progress: &s.progress, Everything: o.everything,
		Revision: o.Revision, Inspect: o.Inspect, UnitsBefore: s.unitsBefore,
	}
}

func (s *Session) fixingOptions() fixing.Options {
	o := s.options
	if s.conflicts != nil && s.conflicts.refused != nil {
		o.Fixes.Apply = false
	}
	return fixing.Options{
		Fixes: o.Fixes, Leftovers: o.Leftovers, Lost: s.lost, Since: o.Revision.Since, Config: o.Config, Target: o.Target, Bundles: o.Bundles, Now: o.Now,
		Progress: &s.progress, Parsed: &s.parsed, Acting: &s.acting, Earlier: &s.fixed,
	}
}

func (s *Session) walkOptions() repo.WalkOptions {
	return repo.WalkOptions{
		Exclude:     slices.Concat(s.options.Config.ExcludePatterns(), s.options.Bundles.Exclude()),
		MaxFileSize: s.options.Config.Limits.FileSize,
		Own:         s.isOwn,
	}
}

func renderLimits(c *settings.Config) render.Limits {
	return render.Limits{Time: c.Limits.RenderTime, Memory: c.Limits.RenderMemory}
}

// ownPrefix begins the names of salint's files, such as .salint.yaml and .salint-baseline.json.
const ownPrefix = ".salint"

// isOwn reports whether a file is a configuration of salint or its baseline, which have the names of manifests.
func (s *Session) isOwn(file string) bool {
	return strings.HasPrefix(path.Base(file), ownPrefix) || file == s.options.BaselineFile
}

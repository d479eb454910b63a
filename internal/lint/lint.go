package lint

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/config/silence"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules"
)

// Options say what to lint, and how.
type Options struct {
	Tree   Tree
	Config *settings.Config
	// Target is auto or "", a model, or a release; it goes before what the configuration says.
	Target string
	// Enable and Disable are names of rules, or globs.
	Enable, Disable []string
	// Policies are folders with the user's own rules; what the configuration says of them does not count here.
	Policies []string
	// PolicyCache keeps compiled policies for further rounds and runs; nil: each round compiles them.
	PolicyCache *rules.PolicyCache
	// Changed limits the findings to these files; nil does not limit them.
	Changed map[string]bool
	// Baseline are known findings that are not reported; nil without one.
	Baseline *silence.Baseline
	// Bundles are those of extensions, for the rules and fixes that need them; nil without any.
	Bundles *bundles.Library
	// Charts are the user's settings for rendering charts.
	Charts charts.Settings
	Now    time.Time
	Fixes  Fixes
	// Describe fills in Outcome.Rules, which takes reading the texts of all rules.
	Describe bool
	// Progress is told what the run does; nil reports to nobody.
	Progress Progress

	// workers build overlays, for all rounds of a run.
	workers *render.Workers
	// everything has all documents parsed that rules judge, also those in which they can find nothing.
	everything bool
}

// Outcome is what a run came to.
type Outcome struct {
	Findings []finding.Finding
	Summary  finding.Summary
	// Reported is how many of the files findings were asked for.
	Reported int
	// Target is the one asked for, or the one that all units agree on.
	Target finding.Target
	// Rules are all rules, for reports with a table of them; only with Options.Describe.
	Rules []finding.RuleInfo
	// Undecided tells that a fix depends on a release which nobody has named.
	Undecided bool
	// Untold are patterns of the paths to which fixes wait for a release, where others tell theirs.
	Untold []string
	// Writes are the changes to files that the fixes come to, proven; Notes are what else is to be known about them.
	Writes []repo.Write
	Notes  []string
	// Permissions are what the fixes do to permissions, as far as they were proven; nil when none were to be.
	Permissions *permission.Report
	// left are the findings about what the fixes leave behind; they are among Findings.
	left []finding.Finding
	// Faults are what kept a part of the run from being done: rules that failed, files that could not be read.
	Faults []error
	// Source gives the text of a file as it was linted, or nil.
	Source func(file string) []byte
	// Evaluations and Parsed count the work.
	Evaluations, Parsed int
}

// Run lints, and mends where the options say so. An error means that there is no outcome: wrong options, or a policy that
// cannot be compiled.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	o.workers = render.NewWorkers(render.Limits{Time: o.Config.Limits.RenderTime, Memory: o.Config.Limits.RenderMemory})
	defer o.workers.Close()
	out, err := once(ctx, o)
	if err != nil || !o.Fixes.Apply || len(out.Writes) == 0 {
		return out, err
	}
	return mendAll(ctx, o, out)
}

// once lints and works the fixes out for the files as they are.
func once(ctx context.Context, o Options) (*Outcome, error) {
	r, err := newRun(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	found, err := r.judge(ctx)
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, found)
}

// run is one run on its way through.
type run struct {
	Options
	asked     *loader.Asked
	registry  *rules.Registry
	enabled   []string
	isEnabled map[string]bool
	library   *library
	assembly  loader.Assembly // what the units are made of
	units     []*objects.Unit
	delivery  *delivery.Delivery
	// applications are what the repository says of who applies the units.
	applications *applications.Set
	judging      *judge

	excludedOnce sync.Once
	excluded     []repo.File
	outcome      Outcome
}

func newRun(ctx context.Context, o Options) (*run, error) {
	r := &run{Options: o}
	if r.Bundles == nil {
		r.Bundles = &bundles.Library{}
	}
	r.Bundles.Define = r.define
	err := loader.CheckTarget(o.Target)
	if err != nil {
		return nil, err
	}
	r.registry, err = rules.Load(ctx, rules.Options{
		PolicyDirs:  o.Policies,
		EvalTimeout: o.Config.Limits.PolicyTime,
		PodSpecs:    podSpecs(o.Config),
		PolicyCache: o.PolicyCache,
	})
	if err != nil {
		return nil, err
	}
	if err := o.Config.Validate(loader.CheckTarget, r.registry.Names()); err != nil {
		return nil, err
	}
	if r.asked, err = loader.ReadAsked(o.Target, o.Config); err != nil {
		return nil, err
	}
	r.enabled, err = r.registry.Select(slices.Concat(o.Config.Enabled(), o.Enable), o.Disable)
	r.enabled = slices.DeleteFunc(r.enabled, r.lacksWhatItNeeds)
	r.isEnabled = map[string]bool{}
	for _, name := range r.enabled {
		r.isEnabled[name] = true
	}
	return r, err
}

// lacksWhatItNeeds tells whether a rule cannot find anything, so that it need not be compiled.
func (r *run) lacksWhatItNeeds(name string) bool {
	rule, _, _ := r.registry.Find(name)
	switch rule.Needs {
	case rules.NeedsBundle:
		return !r.Bundles.Any()
	case rules.NeedsBase:
		return !r.Bundles.Any() || r.Bundles.Base == nil
	}
	return false
}

func (r *run) read(ctx context.Context) (err error) {
	if r.Progress != nil {
		r.Progress.Stage("reading", 0)
	}
	reader := newReader(r.registry, r.enabled, r.Fixes.Grant.Role)
	reader.bundled = r.Bundles.Bindings
	reader.charts, reader.built = r.Charts, loader.FilesOf(r.Tree)
	reader.quiet.off = reader.quiet.off || r.everything
	reader.links = func() map[string]string { return linksOf(r.Tree) }
	r.library, err = reader.read(ctx, counting{r.Tree, r.Progress}, r.walkOptions())
	if err != nil {
		return err
	}
	return r.assemble(ctx, reader)
}

// assemble puts the units together, as they are applied, with what applies them.
func (r *run) assemble(ctx context.Context, reader *reader) error {
	r.assembly = loader.Assembly{
		Objects: r.library.objects, Kustomizations: r.library.kustomizations, Names: r.library.names,
		Files: loader.FilesOf(r.Tree), Workers: r.workers, Wanted: reader.wants, Mentions: reader.judged.Mentions,
		Remotes: loader.RemotesOf(r.Tree),
		Charts:  loader.ChartAssembly{Settings: r.Charts, Wanted: reader.wantsOfCharts, Mentions: reader.mentions},
	}
	all, err := loader.AssembleAll(ctx, r.assembly)
	if err == nil {
		all, err = r.seek(ctx, reader, all)
	}
	if err != nil {
		return err
	}
	r.units, r.applications = all.Units, all.Applications
	r.delivery = delivery.New(all.Units, all.Applications.Result, all.Applications.Of)
	return nil
}

func (r *run) walkOptions() repo.WalkOptions {
	return repo.WalkOptions{
		Exclude:     slices.Concat(r.Config.ExcludePatterns(), r.Bundles.Exclude()),
		MaxFileSize: r.Config.Limits.FileSize,
	}
}

func (r *run) judge(ctx context.Context) ([]judged, error) {
	enabled := r.enabled
	if !r.library.kinds[""] && !r.everything {
		enabled = r.registry.Starting(enabled, r.library.kinds)
	}
	evaluator, err := r.registry.Evaluator(ctx, enabled)
	if err != nil {
		return nil, err
	}
	evaluator.Quiet = r.library.quiet
	r.judging = &judge{
		library: r.library, units: r.units, evaluator: evaluator,
		judgement: newJudgement(r.asked.For), bundles: r.Bundles, delivery: r.delivery, mentions: newMentions(r.Tree, r.library, r.units, r.walkOptions()),
		scope: newScope(r.Tree.Selected, r.library.names), now: r.Now, podSpecs: podSpecs(r.Config),
	}
	found, err := r.judging.judgeAll(ctx)
	if err := r.keepFaults(err); err != nil {
		return nil, err
	}
	for _, n := range evaluator.Counters().Evaluations {
		r.outcome.Evaluations += n
	}
	return r.configured(found), nil
}

// keepFaults sorts rules that failed, which are part of the outcome, from errors that end the run.
func (r *run) keepFaults(err error) error {
	if err == nil {
		return nil
	}
	var failed *rules.EvalError
	if !errors.As(err, &failed) {
		return err
	}
	r.outcome.Faults = append(r.outcome.Faults, err)
	return nil
}

// configured gives findings the severity that the configuration has for them, and drops those that are off.
func (r *run) configured(found []judged) []judged {
	var kept []judged
	for _, f := range found {
		if r.configure(&f.Finding) {
			kept = append(kept, f)
		}
	}
	return kept
}

// configure gives a finding its configured severity, and tells whether it is wanted at all.
func (r *run) configure(f *finding.Finding) bool {
	if severity, set := r.Config.For(f.File).Severity(f.Rule); set && !r.enabledByFlag(f.Rule) {
		f.Severity = severity
	}
	return f.Severity != finding.Off && r.isEnabled[f.Rule]
}

// enabledByFlag tells whether --enable names a rule: on the command line it counts more than `off` in a file.
func (r *run) enabledByFlag(rule string) bool {
	return slices.ContainsFunc(r.Enable, func(pattern string) bool { return rules.Match(pattern, rule) })
}

package judging

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/evaluate"
)

// Finding is a finding of a policy with what is needed to fix it.
type Finding struct {
	finding.Finding
	Report evaluate.Report
	key    finding.Identity
	Unit   *objects.Unit
	// Units are the units with the same finding and the same fix; nil for a fix without arguments, which does not depend on them.
	Units []*objects.Unit
	// Resolved is the target for which the object was judged.
	Resolved loader.ResolvedTarget
	// Selected is true if the paths of the command line select the finding, in the unit or in another one with the same finding.
	// unitSelected is true if the unit reads a file of these paths.
	Selected, unitSelected bool
	// asked is true if the paths of the command line name the unit, or do not limit the run.
	asked bool
	// TargetUnknown are patterns of paths whose target is unknown: those of the unit, and of other units with the same finding.
	TargetUnknown []string
}

// Judge evaluates the rules on every object of every unit of a snapshot.
type Judge struct {
	options  Options
	Snapshot *reading.Snapshot
	Targets  *Targets
	// Scope is that of the paths of the command line, and Uses the index of who uses what.
	Scope *reading.Scope
	Uses  *uses.Index
	// Counters are those of the last evaluation.
	Counters evaluate.Counters

	units []*objects.Unit
	// deferred are those of the units that are not judged.
	deferred  []*objects.Unit
	evaluator *evaluate.Evaluator
	former    *reading.FormerObjects
	contents  *reading.AppliedContents
	podSpecs  []objects.PodSpecKind
	shared    *evalcontext.Shared
	clusters  *clusters
	items     itemNames

	// tokens are those that findings about objects report.
	tokens map[tokenPlace]bool

	mu sync.Mutex
	// notChecked are objects that a rule could not judge, and why.
	notChecked []finding.Finding
	// failed are the failures of rules.
	failed []Failure
}

// Violations reports for inputs whether they violate a template of Gatekeeper, see [rules.Registry.Violations].
func (j *Judge) Violations(ctx context.Context, template admission.Template, inputs []string) ([]bool, error) {
	return j.options.Registry.Violations(ctx, template, inputs)
}

// Task is one object to be judged in one unit; a nil object stands for the unit itself.
type Task struct {
	Unit   *objects.Unit
	Object *objects.Object
	// resolved and selected are set by selectRules; selected is nil if no rule can have findings.
	resolved loader.ResolvedTarget
	selected *evaluate.Selection
}

// NewJudge returns a judge of the units of a snapshot, for the requested targets.
func NewJudge(o Options, s *reading.Snapshot, requested func(file string) (olm.Target, bool)) *Judge {
	j := newJudge(o, s, requested)
	j.Scope, j.Uses = s.Scope(), s.Uses(o.Walk)
	return j
}

func newJudge(o Options, s *reading.Snapshot, requested func(file string) (olm.Target, bool)) *Judge {
	units := objects.NotReplaced(s.Units)
	clusters := newClusters(s.Clusters)
	targets := loader.NewTargets(requested).In(clusters.find).WithScripts(s.ScriptSignals).WithPatches(s.Text)
	return &Judge{
		options: o, Snapshot: s, Targets: newTargets(targets), units: units, deferred: deferredUnits(units),
		former: reading.NewFormerObjects(o.Revision.Base, o.Revision.Changed, o.Revision.Deleted, o.UnitsBefore), contents: s.AppliedContents(),
		podSpecs: loader.PodSpecs(o.Config), shared: &evalcontext.Shared{Clusters: clusters.of, Creators: o.Config.Creators},
		clusters: clusters,
	}
}

// For returns a judge for other targets, which shares what does not depend on targets.
func (j *Judge) For(requested func(file string) (olm.Target, bool)) *Judge {
	other := newJudge(j.options, j.Snapshot, requested)
	other.Scope, other.Uses = j.Scope, j.Uses
	return other
}

// deferredUnits returns the units that are deferred.
func deferredUnits(units []*objects.Unit) []*objects.Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *objects.Unit) bool { return !u.Deferred() })
}

// Findings evaluates the enabled rules. It returns the findings of all units with their configured severities, each key once.
func (j *Judge) Findings(ctx context.Context) ([]Finding, error) {
	o, enabled := j.options, j.options.Enabled
	if !j.Snapshot.Kinds[""] && !o.Everything {
		enabled = o.Registry.Starting(enabled, j.Snapshot.Kinds)
	}
	evaluator, err := o.Registry.Evaluator(ctx, enabled)
	if err != nil {
		return nil, err
	}
	evaluator.Skippable, evaluator.All, evaluator.Inspect = j.Snapshot.FindsNothing, o.Everything, o.Inspect
	j.evaluator = evaluator
	found, err := j.judgeAll(ctx)
	if err != nil {
		return nil, err
	}
	j.forget()
	j.Counters = evaluator.Counters()
	for i, remark := range j.Counters.Remarks {
		j.Counters.Remarks[i] = j.options.WithoutFolders(remark)
	}
	return withoutSecondAdmin(j.configured(j.withoutRenderedTokens(found))), nil
}

// configured sets the configured severities of findings, and drops the findings of rules that are off.
func (j *Judge) configured(found []Finding) []Finding {
	var kept []Finding
	for _, f := range found {
		f.RuleSeverity = f.Severity
		if j.options.Severities.Configure(&f.Finding) {
			if f.Unapplied != nil {
				f.Severity = min(f.Severity, finding.Note)
			}
			kept = append(kept, f)
		}
	}
	return kept
}

// judgeAll returns the findings of all units, each key once. Rules that failed are in j.failed.
func (j *Judge) judgeAll(ctx context.Context) ([]Finding, error) {
	tasks := j.tasks()
	if err := selectAll(ctx, j.evaluator, tasks, j.selectRules); err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t Task) bool { return t.selected == nil })
	j.options.Progress.Stage(reading.Evaluating, len(tasks))
	results := make([][]Finding, len(tasks))
	others := make([]error, len(tasks))
	err := parallel.Do(ctx, len(tasks), func(i int) {
		results[i], others[i] = j.judgeTask(ctx, tasks[i])
		tasks[i].selected = nil // with what the rules have computed
		j.options.Progress.Step(reading.Evaluating)
	})
	if err != nil {
		return nil, err
	}
	found := Distinct(slices.Concat(results...))
	distinguishVariants(found)
	return found, errors.Join(others...)
}

// TargetsFor returns the targets of objects for other requests.
func (j *Judge) TargetsFor(requested func(file string) (olm.Target, bool)) *loader.Targets {
	return loader.NewTargets(requested).In(j.clusters.find).WithScripts(j.Snapshot.ScriptSignals).WithPatches(j.Snapshot.Text)
}

// forget drops the answers of the rules after the last evaluation, because the fixes need the memory.
func (j *Judge) forget() {
	j.evaluator.Forget(j.units)
	j.evaluator, j.shared = nil, nil
}

func (j *Judge) tasks() []Task {
	var tasks []Task
	for _, unit := range slices.Concat(j.units, j.Snapshot.Unapplied) {
		if len(unit.Objects) > 0 {
			tasks = append(tasks, Task{Unit: unit})
		}
		for _, object := range unit.Objects {
			tasks = append(tasks, Task{Unit: unit, Object: object})
		}
	}
	return tasks
}

// selectAll selects the rules of tasks, and compiles them.
func selectAll(ctx context.Context, evaluator *evaluate.Evaluator, tasks []Task, selectRules func(*Task)) error {
	if err := parallel.Do(ctx, len(tasks), func(i int) { selectRules(&tasks[i]) }); err != nil {
		return err
	}
	selections := make([]*evaluate.Selection, len(tasks))
	for i, t := range tasks {
		selections[i] = t.selected
	}
	return evaluator.Compile(ctx, selections...)
}

// selectRules sets the target of a task, and the rules that can have findings.
func (j *Judge) selectRules(t *Task) {
	if !j.evaluator.Judges(t.Unit, t.Object) {
		return
	}
	about := t.Object
	if about == nil {
		about = t.Unit.Objects[0]
	}
	t.resolved = j.Targets.Of(t.Unit, about)
	if t.Unit.Deferred() {
		return
	}
	evaluation := j.context(t.Unit, t.resolved)
	evaluation.NotAsked = t.Object != nil && !j.Scope.MayReport(t.Unit, t.Object)
	t.selected = j.evaluator.Select(evaluation, t.Object)
}

func (j *Judge) judgeTask(ctx context.Context, t Task) ([]Finding, error) {
	v := t.resolved
	reports, err := j.evaluator.Run(ctx, t.selected)
	var found []Finding
	for _, report := range reports {
		f := j.finding(t.Unit, v, report)
		if f.Unapplied != nil {
			report.Fix = nil // golden files change only with what they test
		}
		found = append(found, Finding{
			Finding: f, Report: report, key: sourceKey(f, report), Unit: t.Unit, Resolved: v,
			Selected: j.Scope.Selects(t.Unit, f), unitSelected: j.Scope.SelectsPartOf(t.Unit),
			asked: j.Scope.AsksFor(t.Unit), TargetUnknown: targetUnknownPaths(t.Unit, v, report.Fix),
		})
	}
	return found, j.addFailures(t, err)
}

func (j *Judge) context(unit *objects.Unit, v loader.ResolvedTarget) evalcontext.Context {
	return evalcontext.Context{
		Unit: unit, Units: j.units, Deferred: j.deferred, Shared: j.shared,
		Target: v.Target, TargetAsked: v.Asked, TargetKnown: v.Known, DetectedFrom: v.DetectedFrom, Now: j.options.Now,
		Signals: v.Signals, Mentions: j.Uses.OfAccount, CreatedInTexts: j.Uses.CreatedInTexts, GrantedElsewhere: j.Uses.BoundElsewhere, Unread: j.Uses.FirstUnread, Bundles: j.options.Bundles, Installer: j.installer,
		Delivery: j.Snapshot.Delivery, Former: evalcontext.Former{Of: j.former.Of, Removed: j.former.Removed}, Contents: j.contents.Of, PodSpecs: j.podSpecs, NotChecked: j.note,
	}
}

// finding returns the report of a policy as a finding at a place in the user's file.
func (j *Judge) finding(unit *objects.Unit, v loader.ResolvedTarget, r evaluate.Report) finding.Finding {
	o := r.Object
	file, span := o.Locate(r.Path)
	f := finding.Finding{
		Rule: r.Rule, Severity: r.Severity, Message: r.Message, Target: targetName(v),
		File: file.Path, Range: finding.RangeIn(file, span),
		Resource: finding.ResourceOf(o), Subject: subjectOf(r), Path: r.Path.String(), Holder: r.Holder, LastingPath: j.items.lastingPath(o, r.Path), Related: r.Related, Causes: r.Causes,
	}
	if holder, field, at := subjectSetElsewhere(unit, r); holder != "" {
		f.Holder = holder
		f.Related = append(slices.Clone(f.Related), finding.Related{File: at.File, Line: at.Line, Message: "sets the " + field + " of the subject"})
	}
	if o.Applied != nil {
		f.PatchLine = operationLine(o, r.Path)
		f.Source = sourceOf(o)
		f.Source.Variant = appliedAs(unit, o)
	}
	f.Origin, f.Unapplied, f.Clusters = originOf(unit, o), j.unappliedAt(unit, o), j.clusters.names(unit)
	return f
}

// unappliedAt returns why no deployment applies an object of a unit; nil if one does.
func (j *Judge) unappliedAt(u *objects.Unit, o *objects.Object) *finding.Unapplied {
	why := u.Unapplied
	if u.Kind == objects.PlainUnit && why == nil {
		why = j.Snapshot.Unlisted[o.File]
	}
	if why == nil {
		return nil
	}
	return &finding.Unapplied{Folder: why.Folder, Beside: why.Beside}
}

// operationLine returns the line of the operation of a JSON patch that sets a field; 0 if none does.
func operationLine(o *objects.Object, path manifest.Path) int {
	trace := o.Applied.Trace(path)[0]
	if trace.What != objects.JSONPatch || trace.Doc == nil || len(trace.Path) == 0 {
		return 0
	}
	line, _ := trace.Doc.File.Position(trace.Doc.Locate(trace.Path[:1]).Start)
	return line
}

// originOf returns the kustomization, chart or application that an object comes from.
func originOf(unit *objects.Unit, o *objects.Object) finding.Origin {
	var origin finding.Origin
	origin.Chart, origin.Template, _ = charts.Origin(o)
	switch {
	case unit.Kind == objects.ApplicationUnit, unit.Kind == objects.EmbeddedUnit, origin.Chart != "" && unit.Name != origin.Chart:
		origin.Unit = strings.TrimPrefix(unit.String(), "the ")
	case unit.Kind == objects.KustomizationUnit:
		origin.Kustomization = unit.Root
	}
	return origin
}

// targetName names a target in findings.
func targetName(v loader.ResolvedTarget) string {
	if v.Target.Name != "" {
		return v.Target.Name
	}
	return string(v.Target.Model)
}

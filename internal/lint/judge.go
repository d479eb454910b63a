package lint

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
)

// judgedFinding is a finding of a policy with what is needed to fix it.
type judgedFinding struct {
	finding.Finding
	report rules.Report
	key    finding.Identity
	unit   *objects.Unit
	target loader.ResolvedTarget
	// selected is true if the paths of the command line select the finding, in the unit or in another one with the same finding.
	// unitSelected is true if the unit reads a file of these paths.
	selected, unitSelected bool
	// asked is true if the paths of the command line name the unit, or do not limit the run.
	asked bool
	// targetUnknown are patterns of paths whose target is unknown: those of the unit, and of other units with the same finding.
	targetUnknown []string
}

// judge evaluates the rules on every object of every unit.
type judge struct {
	units []*objects.Unit
	// deferred are those of the units that are not judged.
	deferred  []*objects.Unit
	targets   *targetResolver
	evaluator *rules.Evaluator
	bundles   *bundles.Library
	delivery  *delivery.Delivery
	former    *reading.FormerObjects
	contents  *reading.AppliedContents
	uses      *uses.Index
	scope     *reading.Scope
	items     itemNames
	now       time.Time
	podSpecs  []objects.PodSpecKind
	policies  []string
	shared    *rules.Shared
	// begin is called with the number of evaluations, and step after each.
	begin func(total int)
	step  func()

	mu sync.Mutex
	// notChecked are objects that a rule could not judge, and why.
	notChecked []finding.Finding
	// failed are the failures of rules.
	failed []failure
}

// task is one object to be judged in one unit; a nil object stands for the unit itself.
type task struct {
	unit   *objects.Unit
	object *objects.Object
	// target and selected are set by selectRules; selected is nil if no rule can have findings.
	target   loader.ResolvedTarget
	selected *rules.Selection
}

// newJudge returns a judge of the units of a snapshot.
func (r *run) newJudge(evaluator *rules.Evaluator, targets *targetResolver) *judge {
	units := objects.NotReplaced(r.Units)
	return &judge{
		units: units, deferred: deferredUnits(units), evaluator: evaluator, targets: targets, bundles: r.Bundles, delivery: r.Delivery, former: reading.NewFormerObjects(r.Base, r.Changed),
		contents: r.AppliedContents(), begin: func(total int) { r.progress.Stage(reading.Evaluating, total) }, step: func() { r.progress.Step(reading.Evaluating) },
		uses: r.Uses(r.walkOptions()), scope: r.Scope(),
		now: r.Now, podSpecs: loader.PodSpecs(r.Config), policies: r.Policies, shared: new(rules.Shared),
	}
}

// judgeAll returns the findings of all units, each key once. Rules that failed are in j.failed.
func (j *judge) judgeAll(ctx context.Context) ([]judgedFinding, error) {
	tasks := j.tasks()
	if err := selectAll(ctx, j.evaluator, tasks, j.selectRules); err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t task) bool { return t.selected == nil })
	j.begin(len(tasks))
	results := make([][]judgedFinding, len(tasks))
	others := make([]error, len(tasks))
	err := parallel.Do(ctx, len(tasks), func(i int) {
		results[i], others[i] = j.judgeTask(ctx, tasks[i])
		tasks[i].selected = nil // with what the rules have computed
		j.step()
	})
	if err != nil {
		return nil, err
	}
	found := distinct(slices.Concat(results...))
	distinguishVariants(found)
	return found, errors.Join(others...)
}

// forget drops the answers of the rules after the last evaluation, because the fixes need the memory.
func (j *judge) forget() {
	j.evaluator.Forget(j.units)
	j.evaluator, j.shared = nil, nil
}

func (j *judge) tasks() []task {
	var tasks []task
	for _, unit := range j.units {
		if len(unit.Objects) > 0 {
			tasks = append(tasks, task{unit: unit})
		}
		for _, object := range unit.Objects {
			tasks = append(tasks, task{unit: unit, object: object})
		}
	}
	return tasks
}

// selectAll selects the rules of tasks, and compiles them.
func selectAll(ctx context.Context, evaluator *rules.Evaluator, tasks []task, selectRules func(*task)) error {
	if err := parallel.Do(ctx, len(tasks), func(i int) { selectRules(&tasks[i]) }); err != nil {
		return err
	}
	selections := make([]*rules.Selection, len(tasks))
	for i, t := range tasks {
		selections[i] = t.selected
	}
	return evaluator.Compile(ctx, selections...)
}

// selectRules sets the target of a task, and the rules that can have findings.
func (j *judge) selectRules(t *task) {
	if !j.evaluator.Judges(t.unit, t.object) {
		return
	}
	about := t.object
	if about == nil {
		about = t.unit.Objects[0]
	}
	t.target = j.targets.of(t.unit, about)
	if t.unit.Deferred() {
		return
	}
	evaluation := j.context(t.unit, t.target)
	evaluation.Context = t.object != nil && !j.scope.MayReport(t.unit, t.object)
	t.selected = j.evaluator.Select(evaluation, t.object)
}

func (j *judge) judgeTask(ctx context.Context, t task) ([]judgedFinding, error) {
	v := t.target
	reports, err := j.evaluator.Run(ctx, t.selected)
	var found []judgedFinding
	for _, report := range reports {
		f := j.finding(t.unit, v, report)
		found = append(found, judgedFinding{
			Finding: f, report: report, key: sourceKey(f, report), unit: t.unit, target: v,
			selected: j.scope.Selects(t.unit, f), unitSelected: j.scope.SelectsPartOf(t.unit),
			asked: j.scope.AsksFor(t.unit), targetUnknown: targetUnknownPaths(t.unit, v, report.Fix),
		})
	}
	return found, j.addFailures(t, err)
}

func (j *judge) context(unit *objects.Unit, v loader.ResolvedTarget) rules.EvalContext {
	return rules.EvalContext{
		Unit: unit, Units: j.units, Deferred: j.deferred, Shared: j.shared,
		Target: v.Target, TargetAsked: v.Asked, TargetKnown: v.Known, DetectedFrom: v.DetectedFrom, Now: j.now,
		Signals: v.Signals, Mentions: j.uses.OfAccount, CreatedInTexts: j.uses.CreatedInTexts, Bundles: j.bundles, Installer: j.installer,
		Delivery: j.delivery, Former: j.former.Of, Contents: j.contents.Of, PodSpecs: j.podSpecs, NotChecked: j.note,
	}
}

// finding returns the report of a policy as a finding at a place in the user's file.
func (j *judge) finding(unit *objects.Unit, v loader.ResolvedTarget, r rules.Report) finding.Finding {
	o := r.Object
	file, span := o.Locate(r.Path)
	f := finding.Finding{
		Rule: r.Rule, Severity: r.Severity, Message: r.Message, Target: targetName(v),
		File: file.Path, Range: finding.RangeIn(file, span),
		Resource: finding.ResourceOf(o), Subject: subjectOf(r), Path: r.Path.String(), Holder: r.Holder, LastingPath: j.items.lastingPath(o, r.Path), Related: r.Related, Causes: r.Causes,
	}
	if o.Applied != nil {
		f.PatchLine = operationLine(o, r.Path)
		f.Source = sourceOf(o)
		f.Source.Variant = appliedAs(unit, o)
	}
	f.Origin = originOf(unit, o)
	return f
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

func targetName(v loader.ResolvedTarget) string {
	if v.Target.Name != "" {
		return v.Target.Name
	}
	return string(v.Target.Model)
}

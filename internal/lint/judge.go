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
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/rules"
)

// judged is a finding of a policy with what is needed to mend it.
type judged struct {
	finding.Finding
	report  rules.Report
	unit    *objects.Unit
	verdict loader.Verdict
	// asked tells that the paths that the user named ask for it, in the unit or in one in which it is the same; related that
	// they have a part in the unit.
	asked, related bool
	// untold are patterns of paths whose target nothing tells: of the unit, and of those in which the finding is the same.
	untold []string
}

// judge has the rules evaluated on every object of every unit.
type judge struct {
	library   *library
	units     []*objects.Unit
	judgement *judgement
	evaluator *rules.Evaluator
	bundles   *bundles.Library
	delivery  *delivery.Delivery
	mentions  mentions
	scope     *scope
	now       time.Time
	podSpecs  []objects.PodSpecKind

	mu sync.Mutex
	// notChecked are objects that a rule could not judge, and why.
	notChecked []finding.Finding
}

// task is one object to be judged in one unit; a nil object stands for the unit itself.
type task struct {
	unit   *objects.Unit
	object *objects.Object
}

// judgeAll gives the findings of all units, each place and message once. The error joins those of rules that failed; the
// findings of the others are there all the same.
func (j *judge) judgeAll(ctx context.Context) ([]judged, error) {
	if err := j.evaluator.Prepare(ctx, j.objects()); err != nil {
		return nil, err
	}
	tasks := j.tasks()
	results := make([][]judged, len(tasks))
	failures := make([]error, len(tasks))
	err := parallel.Do(ctx, len(tasks), func(i int) {
		results[i], failures[i] = j.judge(ctx, tasks[i])
	})
	if err != nil {
		return nil, err
	}
	found := distinct(slices.Concat(results...))
	tellApart(found)
	return found, errors.Join(failures...)
}

func (j *judge) objects() []*objects.Object {
	var all []*objects.Object
	for _, unit := range j.units {
		all = append(all, unit.Objects...)
	}
	return all
}

func (j *judge) tasks() []task {
	var tasks []task
	for _, unit := range j.units {
		if len(unit.Objects) > 0 {
			tasks = append(tasks, task{unit, nil})
		}
		for _, object := range unit.Objects {
			tasks = append(tasks, task{unit, object})
		}
	}
	return tasks
}

func (j *judge) judge(ctx context.Context, t task) ([]judged, error) {
	if !j.evaluator.Judges(t.unit, t.object) {
		return nil, nil
	}
	about := t.object
	if about == nil {
		about = t.unit.Objects[0]
	}
	v := j.judgement.of(t.unit, about)
	world := j.world(t.unit, v)
	world.Context = t.object != nil && !j.scope.judges(t.unit, t.object)
	reports, err := j.evaluator.Evaluate(ctx, world, t.object)
	var found []judged
	for _, report := range reports {
		f := j.finding(t.unit, v, report)
		found = append(found, judged{
			Finding: f, report: report, unit: t.unit, verdict: v,
			asked: j.scope.asks(t.unit, f), related: j.scope.touches(t.unit), untold: untoldPaths(t.unit, v, report.Fix),
		})
	}
	return found, err
}

func (j *judge) world(unit *objects.Unit, v loader.Verdict) rules.World {
	return rules.World{
		Unit: unit, Units: j.units,
		Target: v.Target, TargetAsked: v.Asked, TargetKnown: v.Known, DetectedFrom: v.DetectedFrom, Now: j.now,
		Signs: v.Signs, Mentions: j.mentions.of, Bundles: j.bundles, Installer: j.installer,
		Delivery: j.delivery, PodSpecs: j.podSpecs, NotChecked: j.note,
	}
}

// finding places what a policy reports in the user's file.
func (j *judge) finding(unit *objects.Unit, v loader.Verdict, r rules.Report) finding.Finding {
	o := r.Object
	file, span := o.Locate(r.Path)
	f := finding.Finding{
		Rule: r.Rule, Severity: r.Severity, Message: r.Message, Target: targetName(v),
		File: file.Path, Range: rangeIn(file, span),
		Resource: resourceOf(o), Path: r.Path.String(), Related: r.Related, Causes: r.Causes,
	}
	if o.Applied != nil {
		f.PatchLine = operationLine(o, r.Path)
		f.Source = sourceOf(o)
		f.Source.Variant = appliedAs(unit, o)
	}
	f.Origin = originOf(unit, o)
	return f
}

// operationLine is the line on which the operation of a JSON patch begins that sets a field; 0 where none does.
func operationLine(o *objects.Object, path manifest.Path) int {
	trace := o.Applied.Trace(path)[0]
	if trace.What != objects.JSONPatch || trace.Doc == nil || len(trace.Path) == 0 {
		return 0
	}
	line, _ := trace.Doc.File.Position(trace.Doc.Locate(trace.Path[:1]).Start)
	return line
}

// originOf says what an object was built or rendered by.
func originOf(unit *objects.Unit, o *objects.Object) finding.Origin {
	var origin finding.Origin
	origin.Chart, origin.Template, _ = charts.Origin(o)
	switch {
	case unit.Kind == objects.ApplicationUnit, origin.Chart != "" && unit.Name != origin.Chart:
		origin.Unit = strings.TrimPrefix(unit.String(), "the ")
	case unit.Kind == objects.KustomizationUnit:
		origin.Kustomization = unit.Root
	}
	return origin
}

func targetName(v loader.Verdict) string {
	if v.Target.Name != "" {
		return v.Target.Name
	}
	return string(v.Target.Model)
}

package lint

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/rules"
)

// Rules that say something about extensions, or about the cluster around them, without judging the extensions themselves.
const (
	ruleMistyped = "olm/synthetic-subject-mistyped"
	ruleConflict = "olm/target-conflict"
)

// Survey is what lint has to say about the extensions of a repository on each of several targets.
type Survey struct {
	Targets []olm.Target
	// Extensions are those that the user asked about, as applied: once for each unit that applies them.
	Extensions []Surveyed
	// Cluster are, for each target, findings about what the release is told by, such as a gate that it does not know.
	Cluster [][]finding.Finding
	// About are findings about files: what was not read, or not judged.
	About []finding.Finding
	// Faults are what kept a part of the survey from being done.
	Faults []error
}

// Surveyed is one extension in one unit.
type Surveyed struct {
	olm.Extension
	// File and Line are where the extension stands, relative to the root of the repository.
	File string
	Line int
	Unit *objects.Unit
	// Today is the target that the configuration names, or the signs around the extension.
	Today loader.ResolvedTarget
	// Applied are all units that apply what stands there, this one among them.
	Applied []Applied
	// At are, for each target, the findings about the extension.
	At [][]Judgement
}

// Applied is a unit that applies an extension, and the target that it has today.
type Applied struct {
	Unit  *objects.Unit
	Today loader.ResolvedTarget
}

// Judgement is a finding about an extension on one target. The severity is that of the policy for errors, whatever the
// configuration says: what a release does is not a matter of taste.
type Judgement struct {
	finding.Finding
	// Refused says why there is no fix although the rule has one; else it is "".
	Refused string
}

// TakeSurvey judges the extensions for each of the targets, by the policies that a run of lint for it would ask. The
// repository is read and its units are built once. Comments and baselines silence nothing here.
func TakeSurvey(ctx context.Context, o Options, targets []olm.Target) (*Survey, error) {
	o.workers = render.NewWorkers(render.Limits{Time: o.Config.Limits.RenderTime, Memory: o.Config.Limits.RenderMemory})
	defer o.workers.Close()
	r, err := newRun(ctx, o)
	if err != nil {
		return nil, err
	}
	r.enabled = slices.DeleteFunc(r.enabled, func(name string) bool { return !r.concernsExtensions(name) })
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	s := &surveyor{
		run: r, mentions: newMentions(r.Tree, r.library, r.units, r.walkOptions()), scope: newScope(r.Tree.Selected, r.library.names),
	}
	if s.evaluator, err = r.registry.Evaluator(ctx, r.enabled); err != nil {
		return nil, err
	}
	around := slices.DeleteFunc(slices.Clone(r.enabled), func(name string) bool { return name != ruleMistyped && name != ruleConflict })
	if s.around, err = r.registry.Evaluator(ctx, around); err != nil {
		return nil, err
	}
	return s.survey(ctx, targets)
}

// concernsExtensions tells whether a survey asks a rule.
func (r *run) concernsExtensions(name string) bool {
	rule, _, _ := r.registry.Find(name)
	return rule.Scope == rules.ScopeProgram || name == ruleMistyped || name == ruleConflict ||
		slices.Contains(rule.Kinds, olm.ClusterExtensionKind+".olm.operatorframework.io")
}

// surveyor judges the same units for several targets.
type surveyor struct {
	run *run
	// evaluator has the rules for extensions, around those for what stands around them.
	evaluator, around *rules.Evaluator
	mentions          mentions
	scope             *scope
}

func (s *surveyor) survey(ctx context.Context, targets []olm.Target) (*Survey, error) {
	base := s.at(s.run.asked.For)
	out := &Survey{Targets: targets}
	extensions, applied := base.extensions()
	for _, t := range extensions {
		out.Extensions = append(out.Extensions, surveyed(t, base.judging.judgement.of(t.unit, t.object), applied))
	}
	for _, target := range targets {
		at := s.at(func(string) (olm.Target, bool) { return target, true })
		cluster, own, err := s.judge(ctx, at, extensions, target)
		if err != nil {
			return nil, err
		}
		byExtension, err := at.judgements(ctx, own)
		if err != nil {
			return nil, err
		}
		for i := range extensions {
			out.Extensions[i].At = append(out.Extensions[i].At, byExtension[i])
		}
		out.Cluster = append(out.Cluster, cluster)
		out.Faults = append(out.Faults, at.outcome.Faults...)
	}
	out.About = base.aboutFiles()
	out.Faults = append(out.Faults, base.outcome.Faults...)
	finding.Sort(out.About)
	return out, nil
}

// at is the same run for another target. What was read and built is shared, and so are the compiled policies.
func (s *surveyor) at(asked func(string) (olm.Target, bool)) *run {
	first := s.run
	r := &run{
		Options: first.Options, asked: first.asked, registry: first.registry, enabled: first.enabled, isEnabled: first.isEnabled,
		library: first.library, assembly: first.assembly, units: first.units, delivery: first.delivery, applications: first.applications,
	}
	r.judging = &judge{
		library: r.library, units: r.units, evaluator: s.evaluator, judgement: newJudgement(asked), bundles: r.Bundles,
		delivery: r.delivery, mentions: s.mentions, scope: s.scope, now: r.Now, podSpecs: podSpecs(r.Config),
	}
	return r
}

// extensions are those that the user asked about, in the order of files, and what applies each place that holds one. Whoever
// names the folder of an overlay asks about what it applies, wherever that stands.
func (r *run) extensions() (found []task, applied map[string][]Applied) {
	applied = map[string][]Applied{}
	for _, unit := range r.units {
		for _, o := range unit.Objects {
			if _, ok := olm.ReadExtension(o.Node); !ok {
				continue
			}
			place := o.Position(nil).String()
			applied[place] = append(applied[place], Applied{unit, r.judging.judgement.of(unit, o)})
			if r.judging.scope.asksAbout(unit, o) {
				found = append(found, task{unit, o})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b task) int { return strings.Compare(fileOf(a.object), fileOf(b.object)) })
	return found, applied
}

// asksAbout tells whether the user asked about an object itself: where it stands, or what makes the unit that applies it.
func (s *scope) asksAbout(u *objects.Unit, o *objects.Object) bool {
	if s.selected(o.File) || s.makes(u) {
		return true
	}
	made := charts.Of(o)
	return made != nil && made.Rendered.Reads(s.selected)
}

func fileOf(o *objects.Object) string {
	file, _ := o.Locate(nil)
	return file.Path
}

func surveyed(t task, today loader.ResolvedTarget, applied map[string][]Applied) Surveyed {
	extension, _ := olm.ReadExtension(t.object.Node)
	file, span := t.object.Locate(nil)
	return Surveyed{
		Extension: extension, File: file.Path, Line: rangeIn(file, span).Line, Unit: t.unit, Today: today,
		Applied: applied[t.object.Position(nil).String()],
	}
}

// judge gives the findings about each of the extensions, and those about the cluster.
func (s *surveyor) judge(ctx context.Context, at *run, extensions []task, target olm.Target) (cluster []finding.Finding, own [][]judged, err error) {
	own, err = at.suppose(ctx, s.evaluator, extensions, target)
	if err != nil {
		return nil, nil, err
	}
	others, err := at.suppose(ctx, s.around, s.aroundExtensions(extensions), target)
	if err != nil {
		return nil, nil, err
	}
	around := distinct(slices.Concat(others...))
	for _, f := range around {
		if f.Rule == ruleConflict {
			cluster = append(cluster, f.Finding)
		}
	}
	finding.Sort(cluster)
	if target.Model == olm.Synthetic {
		for i, t := range extensions {
			own[i] = append(own[i], meantFor(t, around)...)
		}
	}
	return cluster, own, nil
}

// aroundExtensions are the objects whose findings say something about the extensions of their unit.
func (s *surveyor) aroundExtensions(extensions []task) []task {
	units := map[*objects.Unit]bool{}
	for _, t := range extensions {
		units[t.unit] = true
	}
	var around []task
	for _, unit := range s.run.units {
		for _, o := range unit.Objects {
			if units[unit] && s.around.Judges(unit, o) {
				around = append(around, task{unit, o})
			}
		}
	}
	return around
}

// suppose judges objects as if their units were applied to a target, which nobody says they are today.
func (r *run) suppose(ctx context.Context, evaluator *rules.Evaluator, tasks []task, target olm.Target) ([][]judged, error) {
	if err := evaluator.Prepare(ctx, objectsOf(tasks)); err != nil {
		return nil, err
	}
	results := make([][]judged, len(tasks))
	failures := make([]error, len(tasks))
	err := parallel.Do(ctx, len(tasks), func(i int) {
		t := tasks[i]
		v := r.judging.judgement.of(t.unit, t.object)
		v.Target, v.Asked, v.Known, v.DetectedFrom = target, false, true, ""
		var reports []rules.Report
		reports, failures[i] = evaluator.Evaluate(ctx, r.judging.world(t.unit, v), t.object)
		for _, report := range reports {
			results[i] = append(results[i], judged{
				Finding: r.judging.finding(t.unit, v, report), report: report, unit: t.unit, verdict: v, asked: true,
			})
		}
	})
	if err != nil {
		return nil, err
	}
	return results, r.keepFaults(errors.Join(failures...))
}

func objectsOf(tasks []task) []*objects.Object {
	objects := make([]*objects.Object, len(tasks))
	for i, t := range tasks {
		objects[i] = t.object
	}
	return objects
}

package session

import (
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/rules/evaluate"
	"github.com/salint/salint/rules/metadata"
)

// These rules report on extensions, or on the cluster around them, and judge other objects.
const (
	ruleMistyped = "olm/synthetic-subject-mistyped"
	ruleConflict = "olm/target-conflict"
	ruleOrphaned = "olm/installer-orphaned"
)

// Survey are the findings about the extensions of a repository on each of several targets.
type Survey struct {
	Targets []olm.Target
	// OnOpenShift is true if an extension with a known release is on OpenShift, or if one has no known release and a file has
	// an object of OpenShift's API.
	OnOpenShift bool
	// Units are all deployment units of the repository.
	Units []*objects.Unit
	// Extensions are the selected extensions, once for each unit that applies them.
	Extensions []Surveyed
	// Cluster are, for each target, the findings about signals of the release, such as an unknown feature gate.
	Cluster [][]finding.Finding
	// Orphans are the findings about accounts that no extension uses any longer, for the target of each unit today, if it is known.
	Orphans []finding.Finding
	// About are findings about files that were not read or not checked.
	About []finding.Finding
}

// Surveyed is one extension in one unit.
type Surveyed struct {
	olm.Extension
	// File and Line are the place of the extension, relative to the root of the repository.
	File string
	Line int
	Unit *objects.Unit
	// Today is the target that is requested in the configuration, or detected.
	Today loader.ResolvedTarget
	// Applied are all units that apply the extension from this place, including Unit.
	Applied []Applied
	// Mixed is true if another unit applies the extension from this place, and the targets of the two differ today or are not both
	// known. A change of the file is then right for the one and can be wrong for the other.
	Mixed bool
	// Remaining are its account and bindings, as far as they stay on the cluster when they are removed from the repository.
	Remaining []Remaining
	// Limits are what no longer limits the extension, for each target; nil for one on which its identity counts.
	Limits []*permission.Unlimited
	// At are the findings about the extension, for each target.
	At [][]Judgment
	// Differs is why the cluster can have the extension in another form than the one that was judged; nil if nothing shows that.
	Differs *objects.Problem
	// Failed is set if a rule failed on the extension, so that findings can be missing.
	Failed bool
}

// Applied is a unit that applies an extension, with its target today.
type Applied struct {
	Unit  *objects.Unit
	Today loader.ResolvedTarget
}

// Judgment is a finding about an extension on one target. The configuration cannot lower the severity of an error: it is what the
// release does.
type Judgment struct {
	finding.Finding
	// Refused is the reason why there is no fix although the rule has one; otherwise "".
	Refused string
	// Edited are the files that the fix edits.
	Edited []string
	// InPaths is the same finding with the fix of a run that changes only the units in the paths, or only the unit of the finding if the
	// paths limit nothing, if only such a run has one. A change of what several units share can be impossible where a change of one of
	// them is not.
	InPaths *Judgment
	// InFolder is the same finding with the fix of a run that gets only the folder of its unit, if the extension is mixed and its unit
	// has such a folder.
	InFolder *Judgment
}

// TakeSurvey judges the extensions for each target with the rules that a run of lint evaluates. It chooses the targets once
// the extensions are known; until then, the survey has no findings. It reads the repository and builds its units once. Comments and baselines silence nothing.
func TakeSurvey(ctx context.Context, o Options, choose func(*Survey) []olm.Target) (*Survey, error) {
	o.eager = true
	session, err := NewSession(ctx, o)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	session.enabled = slices.DeleteFunc(session.enabled, func(name string) bool { return !session.concernsExtensions(name) })
	if session.snapshot, err = session.takeSnapshot(ctx, o.Tree); err != nil {
		return nil, err
	}
	s := &surveyor{session: session}
	s.base = judging.NewJudge(session.judgingOptions(), session.snapshot, session.requested.For)
	s.report = judging.NewReport(session.judgingOptions(), s.base, nil)
	if s.evaluator, err = session.registry.Evaluator(ctx, session.enabled); err != nil {
		return nil, err
	}
	if s.around, err = session.registry.Evaluator(ctx, intersection(session.enabled, ruleMistyped, ruleConflict)); err != nil {
		return nil, err
	}
	if s.orphans, err = session.registry.Evaluator(ctx, intersection(session.enabled, ruleOrphaned)); err != nil {
		return nil, err
	}
	return s.survey(ctx, choose)
}

// intersection returns the names that are also among others.
func intersection(names []string, others ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(others, name) })
}

// concernsExtensions reports whether a survey evaluates a rule.
func (s *Session) concernsExtensions(name string) bool {
	rule, _, _ := s.registry.Find(name)
	return rule.Scope == metadata.ScopeProgram || slices.Contains([]string{ruleMistyped, ruleConflict, ruleOrphaned}, name) ||
		rule.All || slices.Contains(rule.Kinds, olm.ClusterExtensionKind+".olm.operatorframework.io")
}

// surveyor judges the same units for several targets.
type surveyor struct {
	session *Session
	// evaluator evaluates the rules about extensions, around those about objects around them, and orphans the one about accounts without use.
	evaluator, around, orphans *evaluate.Evaluator
	// base is the judge for the requested targets, and report what it says about files.
	base   *judging.Judge
	report *judging.Report
}

func (s *surveyor) survey(ctx context.Context, choose func(*Survey) []olm.Target) (*Survey, error) {
	out := &Survey{Units: objects.NotReplaced(s.session.snapshot.Units)}
	extensions, applied := s.extensions()
	mixed := map[*objects.Unit]bool{}
	for _, t := range extensions {
		one := surveyed(t, s.base.Targets.Of(t.Unit, t.Object), applied)
		one.Differs, one.Mixed, one.Remaining = s.differs(t), isMixed(one), s.remaining(t.Unit, t.Object)
		mixed[t.Unit] = mixed[t.Unit] || one.Mixed
		out.Extensions = append(out.Extensions, one)
	}
	out.OnOpenShift = s.onOpenShift(out.Extensions)
	out.Targets = choose(out)
	var failed []judging.Failure
	for _, target := range out.Targets {
		at := s.base.For(func(string) (olm.Target, bool) { return target, true })
		cluster, own, err := s.judge(ctx, at, extensions, target)
		if err != nil {
			return nil, err
		}
		survey := s.forTarget(at)
		byExtension, err := survey.judgements(ctx, own, mixed)
		if err != nil {
			return nil, err
		}
		limits := survey.limits(ctx, extensions, target)
		for i := range extensions {
			out.Extensions[i].At, out.Extensions[i].Limits = append(out.Extensions[i].At, byExtension[i]), append(out.Extensions[i].Limits, limits[i])
		}
		out.Cluster = append(out.Cluster, cluster)
		failed = append(failed, at.Failures()...)
	}
	for i, e := range out.Extensions {
		out.Extensions[i].Failed = slices.ContainsFunc(failed, func(f judging.Failure) bool { return f.File == e.File && f.Resource.Name == e.Name })
	}
	var err error
	if out.Orphans, err = s.orphaned(ctx, out.Targets); err != nil {
		return nil, err
	}
	out.About = s.report.OfFiles(failed)
	return out, nil
}

// orphaned returns the findings about accounts in the units whose target is known: that of today, or the only one of the plan.
func (s *surveyor) orphaned(ctx context.Context, planned []olm.Target) ([]finding.Finding, error) {
	tasks := map[olm.Target][]judging.Task{}
	for _, unit := range objects.NotReplaced(s.session.snapshot.Units) {
		for _, o := range unit.Objects {
			today := s.base.Targets.Of(unit, o)
			if !today.Known && len(planned) == 1 {
				today.Target, today.Known = planned[0], true
			}
			if today.Known && s.orphans.Judges(unit, o) && s.base.Scope.SelectsObject(unit, o) {
				tasks[today.Target] = append(tasks[today.Target], judging.Task{Unit: unit, Object: o})
			}
		}
	}
	var all []finding.Finding
	for target, of := range tasks {
		found, err := s.base.EvaluateFor(ctx, s.orphans, of, target)
		if err != nil {
			return nil, err
		}
		for _, f := range judging.Distinct(slices.Concat(found...)) {
			if f.Severity != finding.Note { // without certainty, lint says what names the account
				all = append(all, f.Finding)
			}
		}
	}
	finding.Sort(all)
	return all, nil
}

// isMixed returns [Surveyed.Mixed].
func isMixed(e Surveyed) bool {
	return slices.ContainsFunc(e.Applied, func(a Applied) bool {
		return a.Unit != e.Unit && !(a.Today.Known && e.Today.Known && a.Today.Target.Name == e.Today.Target.Name)
	})
}

// extensions returns the selected extensions in the order of their files, and the units that apply each place with an extension.
// The folder of an overlay selects everything that the overlay applies.
func (s *surveyor) extensions() (found []judging.Task, applied map[string][]Applied) {
	applied = map[string][]Applied{}
	for _, unit := range objects.NotReplaced(s.session.snapshot.Units) {
		for _, o := range unit.Objects {
			if _, ok := olm.ReadExtension(o.Node); !ok {
				continue
			}
			place := o.Position(nil).String()
			applied[place] = append(applied[place], Applied{unit, s.base.Targets.Of(unit, o)})
			if s.base.Scope.SelectsObject(unit, o) {
				found = append(found, judging.Task{Unit: unit, Object: o})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b judging.Task) int { return strings.Compare(fileOf(a.Object), fileOf(b.Object)) })
	return found, applied
}

func fileOf(o *objects.Object) string {
	file, _ := o.Locate(nil)
	return file.Path
}

// differs returns why the form of an extension that was judged may not be the one on the cluster: its unit, or another one that
// reads its file, could not be built, or a tool changes it that salint does not run.
func (s *surveyor) differs(t judging.Task) *objects.Problem {
	if found, is := s.session.snapshot.Applications.Unresolved(t.Object.File); is {
		return &found
	}
	units := objects.NotReplaced(s.session.snapshot.Units)
	if t.Unit.NotBuilt {
		units = []*objects.Unit{t.Unit}
	}
	for _, unit := range units {
		if unit.NotBuilt && len(unit.Problems) > 0 && unit.Reads(t.Object.File) {
			return &unit.Problems[len(unit.Problems)-1]
		}
	}
	return nil
}

func surveyed(t judging.Task, today loader.ResolvedTarget, applied map[string][]Applied) Surveyed {
	extension, _ := olm.ReadExtension(t.Object.Node)
	file, span := t.Object.Locate(nil)
	return Surveyed{
		Extension: extension, File: file.Path, Line: finding.RangeIn(file, span).Line, Unit: t.Unit, Today: today,
		Applied: applied[t.Object.Position(nil).String()],
	}
}

// judge returns the findings about each of the extensions, and those about the cluster.
func (s *surveyor) judge(ctx context.Context, at *judging.Judge, extensions []judging.Task, target olm.Target) (cluster []finding.Finding, own [][]judging.Finding, err error) {
	own, err = at.EvaluateFor(ctx, s.evaluator, extensions, target)
	if err != nil {
		return nil, nil, err
	}
	others, err := at.EvaluateFor(ctx, s.around, s.aroundExtensions(extensions), target)
	if err != nil {
		return nil, nil, err
	}
	around := judging.Distinct(slices.Concat(others...))
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

// aroundExtensions returns the objects in the units of extensions that the rules in around judge.
func (s *surveyor) aroundExtensions(extensions []judging.Task) []judging.Task {
	units := map[*objects.Unit]bool{}
	for _, t := range extensions {
		units[t.Unit] = true
	}
	var around []judging.Task
	for _, unit := range s.session.snapshot.Units {
		for _, o := range unit.Objects {
			if units[unit] && s.around.Judges(unit, o) {
				around = append(around, judging.Task{Unit: unit, Object: o})
			}
		}
	}
	return around
}

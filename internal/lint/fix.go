package lint

import (
	"context"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/proof/verify"
)

// Fixes say which fixes are wanted, and what to do with them.
type Fixes struct {
	// Apply applies fixes: Outcome.Writes are the changes. Prove verifies them without applying them, for reports that show edits.
	// Without both, fixes are only planned.
	Apply, Prove bool
	// Preview shows the changes only: the findings are reported as if nothing was fixed.
	Preview bool
	// Unsafe and Prune also apply fixes of these kinds. PruneOnly, with Prune, applies fixes of no other kind.
	Unsafe, Prune, PruneOnly bool
	// Shared also changes files that units outside of the paths apply. SharedCommand returns the command line that does so for a
	// fix of a kind in a file; nil: one without further flags.
	Shared        bool
	SharedCommand func(file string, kind finding.FixKind) string
	Grant         engine.Grant
	// Only selects the findings that are fixed, in every round; nil selects all. All fixes are planned as without it.
	Only func(finding.Finding) bool
}

// wants reports whether a run applies fixes of a kind.
func (f Fixes) wants(kind finding.FixKind) bool {
	switch kind {
	case finding.Unsafe:
		return f.Unsafe && !f.PruneOnly
	case finding.Prune:
		return f.Prune
	default:
		return !f.PruneOnly
	}
}

// fixRun plans and verifies the fixes of the findings of one round.
type fixRun struct {
	*run
	context *engine.Context
	// removed are what the applied plans remove.
	removed removals
	// withheld are the plans that are not applied because they would change silenced lines.
	withheld map[*engine.Plan]bool
	// edits are those of the plans that were asked for: one plan can fix the findings of hundreds of overlays.
	edits map[*engine.Plan][]finding.FileEdit
}

func (r *run) newFixRun(ctx context.Context) *fixRun {
	return &fixRun{run: r, withheld: map[*engine.Plan]bool{}, edits: map[*engine.Plan][]finding.FileEdit{}, context: &engine.Context{
		Repo: &applied.Repository{Units: r.Units, Read: r.Snapshot.Tree.Read},
		Policy: engine.Policy{
			Grant: r.Fixes.Grant, Tokens: tokens(r.Config), PodSpecs: loader.PodSpecs(r.Config),
			Now: r.Now, TokenLifetime: r.Config.Grafana.TokenLifetime,
			Prune:  r.Fixes.Apply, // without --prune, findings still name what could be removed
			Unsafe: r.Fixes.Unsafe, Leftovers: r.findLeftovers(),
		},
		Lookups: &lookups{run: r, ctx: ctx, excluded: map[string]leftOut{}},
		Scope:   r.fixScopeOf(),
	}}
}

// fixResult is a finding with the result of its fix.
type fixResult struct {
	judgedFinding
	plan *engine.Plan
	// refused is the reason why there is no fix although the rule has one. Findings of charts with the same group get one note.
	refused, group string
	// waits is true if the fix depends on a target that is unknown. Then refused is the reason.
	waits bool
	// stated is true if the finding itself says why it is not fixed.
	stated bool
	// refusedObjects are the objects of the fix that an application is not permitted to create.
	refusedObjects []refusedObject
}

// planFixes plans the fixes of all findings that have one, and sets the fix of each finding.
func (w *fixRun) planFixes(found []judgedFinding) ([]fixResult, engine.Work, error) {
	all := make([]fixResult, len(found))
	var requests []engine.Request
	var of []int
	for i, f := range found {
		all[i].judgedFinding = f
		all[i].refused = f.report.Unfixable
		all[i].group = chartGroup(f.report.Object, f.report.Unfixable)
		if w.judging.targets.awaitsTarget(f) {
			all[i].waitForTarget(w.judging.targets)
			continue
		}
		if request, ok := requestFor(f); ok {
			requests, of = append(requests, request), append(of, i)
		}
	}
	w.progress.Stage(reading.Planning, 0)
	work, err := fixers.All(w.context, requests)
	if err != nil {
		return nil, work, err
	}
	for n, outcome := range work.Outcomes {
		m := &all[of[n]]
		if outcome.Plan == nil {
			m.refused = refusalOf(outcome)
			if outcome.Refusal != nil {
				m.waits, m.stated = outcome.Refusal.TargetUnknown, outcome.Refusal.InFinding
				m.group = chartGroup(requests[n].Object, outcome.Refusal.Alike)
			}
			continue
		}
		m.plan = outcome.Plan
		m.Fix = &finding.Fix{Kind: outcome.Plan.Kind, Description: outcome.Plan.Description}
	}
	return all, work, nil
}

func refusalOf(outcome engine.Outcome) string {
	if outcome.Refusal == nil {
		return "another fix of this run resolves it"
	}
	return outcome.Refusal.Reason
}

func requestFor(f judgedFinding) (engine.Request, bool) {
	if f.report.Fix == nil {
		return engine.Request{}, false
	}
	return engine.Request{
		Fixer: f.report.Fix.Name, Kind: finding.FixKind(f.report.Fix.Kind),
		Object: f.report.Object, Path: f.report.Path,
	}, true
}

// proveFixes verifies the plans that are to be applied, and marks their findings.
func (w *fixRun) proveFixes(all []fixResult, work engine.Work) ([]finding.Finding, error) {
	w.progress.Stage(reading.Verifying, 0)
	w.withholdOthers(all, work)
	wanted, postponed := w.postpone(work, w.wanted(work))
	proof, err := verify.Prove(w.context, wanted)
	if err != nil {
		return nil, err
	}
	permissions := proof.Permissions // a pointer into the proof would keep its plans, and with them the objects of the round
	permissions.Made = w.Fixes.Apply && len(proof.Plans) > 0
	w.outcome.Permissions = &permissions
	reasons := map[*engine.Plan]string{}
	for _, refused := range slices.Concat(postponed, proof.Refused) {
		reasons[refused.Plan] = refused.Reason
	}
	proven := engine.SetOf(proof.Plans)
	for i := range all {
		if err := w.mark(&all[i], proven, reasons); err != nil {
			return nil, err
		}
	}
	if !w.Fixes.Apply {
		return nil, nil
	}
	if !w.Fixes.Preview {
		w.removed = removalsOf(proof.Plans)
	}
	w.outcome.Steps = proof.Steps
	w.outcome.Writes, w.outcome.ChangedUnits = proof.Writes(), changedUnits(proof.Changed, w.Units)
	w.outcome.waiting = w.firstWaiting(all)
	for _, plan := range proof.Plans {
		for _, note := range plan.Notes {
			if !slices.Contains(w.outcome.Notes, note) {
				w.outcome.Notes = append(w.outcome.Notes, note)
			}
		}
	}
	notes, err := w.reversedNotes(all, proof)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		w.outcome.Notes = appendOnce(w.outcome.Notes, note)
	}
	if w.outcome.Leftovers, err = w.leftoversOf(proof); err != nil {
		return nil, err
	}
	w.outcome.left = append(w.pruned(work, proof, reasons), w.leftoverFiles(proof)...)
	return w.outcome.left, nil
}

func (w *fixRun) mark(m *fixResult, proven map[*engine.Plan]bool, reasons map[*engine.Plan]string) error {
	if m.plan == nil || w.withheld[m.plan] || !w.Fixes.wants(m.plan.Kind) {
		return nil
	}
	if reason, refused := reasons[m.plan]; refused {
		m.Fix, m.refused = nil, reason
		return nil
	}
	edits, err := w.editsOf(m.plan)
	if err != nil {
		return err
	}
	m.Fix.SetEdits(edits)
	written := w.Fixes.Apply && proven[m.plan]
	m.Fix.Applied = written && !w.Fixes.Preview
	if written && w.Fixes.Preview {
		w.outcome.previewed = append(w.outcome.previewed, m.Finding)
	}
	return nil
}

// editsOf returns the edits of a plan, which its findings share.
func (w *fixRun) editsOf(plan *engine.Plan) ([]finding.FileEdit, error) {
	if edits, known := w.edits[plan]; known {
		return edits, nil
	}
	edits, err := engine.Edits(w.context, plan)
	if err == nil {
		w.edits[plan] = edits
	}
	return edits, err
}

// fix plans the fixes, drops silenced findings, and applies the fixes of the others. Findings that are silenced or not reported are
// not fixed.
func (r *run) fix(ctx context.Context, found []judgedFinding) ([]finding.Finding, error) {
	if err := r.compareWithEarlier(ctx, found); err != nil {
		return nil, err
	}
	r.countUnreported(found)
	found = slices.DeleteFunc(found, func(f judgedFinding) bool { return !r.isReported(f) })
	if err := r.buildFor(ctx, found); err != nil {
		return nil, err
	}
	fixes := r.newFixRun(ctx)
	all, work, err := fixes.planFixes(found)
	if err != nil {
		return nil, err
	}
	silence := r.silence(all)
	if left := silence.left(all); len(left) < len(all) {
		fixes = r.newFixRun(ctx)
		if all, work, err = fixes.planFixes(left); err != nil {
			return nil, err
		}
		if err := fixes.withhold(all, work, silence.from(found)); err != nil {
			return nil, err
		}
	}
	for i := range all {
		fixes.checkCreation(&all[i])
	}
	findings := silence.others
	if r.Fixes.Apply || r.Fixes.Prove {
		pruned, err := fixes.proveFixes(all, work)
		if err != nil {
			return nil, err
		}
		findings = append(findings, pruned...)
	}
	var unfixed unfixableNotes
	for _, m := range all {
		if fixes.removed.isRemoved(m) {
			continue
		}
		m.describeRefusedObjects()
		findings = append(findings, m.Finding)
		if note, ok := r.unfixable(m); ok {
			unfixed.add(note, m.group, silence)
		}
	}
	return append(findings, unfixed.notes()...), nil
}

// unfixable returns the note that a finding is not fixed, with the reason. ok is false if there is no reason, or if the
// configuration turns the note off. That the target is unknown is a separate note, unless fixes are asked for.
func (r *run) unfixable(m fixResult) (note finding.Finding, ok bool) {
	note = m.Finding
	note.Rule, note.Severity, note.Fix = finding.RuleUnfixable.Name, finding.RuleUnfixable.Severity, nil
	note.Message, note.Related = withoutDetail(unfixablePrefix(m.Rule) + m.refused)
	ok = m.refused != "" && !m.stated && (!m.waits || r.Fixes.Apply) && r.configure(&note)
	return note, ok
}

// from returns the findings that are silenced.
func (s silencer) from(found []judgedFinding) []judgedFinding {
	return slices.DeleteFunc(slices.Clone(found), func(f judgedFinding) bool { return !s.silenced(f.Finding) })
}

// left returns the findings that are not silenced, without their fixes.
func (s silencer) left(all []fixResult) []judgedFinding {
	var left []judgedFinding
	for _, m := range all {
		if !s.silenced(m.Finding) {
			m.Fix = nil
			left = append(left, m.judgedFinding)
		}
	}
	return left
}

// targetOf returns the target of an object in a unit, for fixers.
func (j *targetResolver) targetOf(unit *objects.Unit, object *objects.Object) olm.Target {
	return j.of(unit, object).Target
}

package fixing

import (
	"context"
	"path"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/proof/verify"
)

// planner plans and verifies the fixes of findings.
type planner struct {
	round   *Round
	context *engine.Context
	// removed are what the applied plans remove.
	removed removals
	// orphans are the plans that remove the accounts which are reported as unused since a revision.
	orphans []*engine.Plan
	// withheld are the plans that are not applied because they would change silenced lines.
	withheld map[*engine.Plan]bool
	// edits are those of the plans that were asked for: one plan can fix the findings of hundreds of overlays.
	edits map[*engine.Plan][]finding.FileEdit
}

// newPlanner returns a planner that changes only what is in a scope; nil limits nothing.
func (r *Round) newPlanner(ctx context.Context, scope *engine.Scope) *planner {
	o := r.options
	leftovers := r.findLeftovers()
	return &planner{round: r, withheld: map[*engine.Plan]bool{}, edits: map[*engine.Plan][]finding.FileEdit{}, context: &engine.Context{
		Repo: &applied.Repository{Units: r.snapshot.Units, Read: r.snapshot.Tree.Read},
		Policy: engine.Policy{
			Grant: o.Fixes.Grant, Tokens: tokens(o.Config), PodSpecs: loader.PodSpecs(o.Config),
			Now: o.Now, TokenLifetime: o.Config.Grafana.TokenLifetime,
			Prune:  o.Fixes.Apply || len(o.Lost.Objects) > 0, // without --prune, findings still name what could be removed
			Unsafe: o.Fixes.Unsafe, Leftovers: leftovers, FormerFiles: r.formerFiles(leftovers),
		},
		Lookups: &lookups{round: r, ctx: ctx, excluded: map[string]leftOut{}},
		Scope:   scope,
	}}
}

// result is a finding with the result of its fix.
type result struct {
	judging.Finding
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

// plan plans the fixes of all findings that have one, and sets the fix of each finding.
func (w *planner) plan(found []judging.Finding) ([]result, engine.Work, error) {
	all := make([]result, len(found))
	var requests []engine.Request
	var of []int
	for i, f := range found {
		all[i].Finding = f
		all[i].refused = f.Report.Unfixable
		all[i].group = chartGroup(f.Report.Object, f.Report.Unfixable)
		if awaitsTarget(f) {
			all[i].waitForTarget(w.round.judge.Targets)
			continue
		}
		if request, ok := requestFor(f); ok {
			requests, of = append(requests, request), append(of, i)
		}
	}
	w.round.options.Progress.Stage(reading.Planning, 0)
	work, err := fixers.AllAfter(w.context, requests, w.round.options.Earlier)
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

func requestFor(f judging.Finding) (engine.Request, bool) {
	if f.Report.Fix == nil {
		return engine.Request{}, false
	}
	return engine.Request{
		Fixer: f.Report.Fix.Name, Kind: finding.FixKind(f.Report.Fix.Kind),
		Object: f.Report.Object, Path: f.Report.Path, Args: f.Report.Fix.Args, Rule: f.Rule, Units: f.Units,
	}, true
}

// prove verifies the plans that are to be applied, and marks their findings.
func (w *planner) prove(ctx context.Context, all []result, work engine.Work) ([]finding.Finding, error) {
	w.round.options.Progress.Stage(reading.Verifying, 0)
	w.withholdOthers(all, work)
	wanted, postponed := w.postpone(ctx, work, w.wanted(work))
	proof, err := verify.Prove(w.context, wanted)
	if err != nil {
		return nil, err
	}
	permissions := proof.Permissions // a pointer into the proof would keep its plans, and with them the objects of the round
	permissions.Made = w.round.options.Fixes.Apply && len(proof.Plans) > 0
	permissions.ReadElsewhere, permissions.Remaining = w.readElsewhere(ctx, proof), w.remaining(proof.Plans)
	w.round.result.Permissions = &permissions
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
	if !w.round.options.Fixes.Apply {
		return w.lostOnly(work), nil
	}
	w.rememberFor(all, proven)
	if !w.round.options.Fixes.Preview {
		w.removed = removalsOf(proof.Plans)
	}
	w.round.result.Steps = proof.Steps
	w.round.result.Writes, w.round.result.ChangedUnits = proof.Writes(), changedUnits(proof.Changed, w.round.snapshot.Units)
	w.round.result.Waiting = w.firstWaiting(all)
	for _, plan := range proof.Plans {
		for _, note := range plan.Notes {
			if !slices.Contains(w.round.result.Notes, note) {
				w.round.result.Notes = append(w.round.result.Notes, note)
			}
		}
	}
	notes, err := w.reversedNotes(all, proof)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		w.round.result.Notes = words.AddOnce(w.round.result.Notes, note)
	}
	if w.round.result.Leftovers, err = w.leftoversOf(proof); err != nil {
		return nil, err
	}
	w.round.result.Left = append(w.pruned(work, proof, reasons), w.leftoverFiles(proof)...)
	return w.round.result.Left, nil
}

// rememberFor takes note of what is made, for the rounds that follow.
func (w *planner) rememberFor(all []result, proven map[*engine.Plan]bool) {
	if w.round.options.Earlier == nil {
		return
	}
	for _, m := range all {
		if request, ok := requestFor(m.Finding); ok && m.plan != nil && proven[m.plan] {
			w.round.options.Earlier.Made(request, m.plan)
		}
	}
}

// readElsewhere returns the places at which something that salint does not build reads a file of a plan: what a plan knows, scripts that name a
// changed file, and symbolic links that lead to it, by which another unit may apply it.
func (w *planner) readElsewhere(ctx context.Context, proof verify.Proof) []string {
	var places []string
	for _, p := range proof.Plans {
		places = append(places, p.ReadElsewhere...)
	}
	if w.round.options.Fixes.Apply {
		for _, write := range proof.Writes() {
			if write.Before != nil {
				places = append(places, w.namedElsewhere(ctx, write.Path)...)
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// namedElsewhere returns the script that names a file, or the symbolic link that leads to it or to a folder around it.
func (w *planner) namedElsewhere(ctx context.Context, file string) []string {
	if ref, isNamed := w.round.judge.Uses.NameOfFile(ctx, file); isNamed && !ref.Describes {
		return []string{ref.Place}
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if ref, isNamed := w.round.judge.Uses.NameOfFile(ctx, dir); isNamed && len(ref.LinkedIn) > 0 {
			return []string{ref.Place}
		}
	}
	return nil
}

func (w *planner) mark(m *result, proven map[*engine.Plan]bool, reasons map[*engine.Plan]string) error {
	if m.plan == nil || w.withheld[m.plan] || !w.round.options.Fixes.wants(m.plan.Kind) {
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
	written := w.round.options.Fixes.Apply && proven[m.plan]
	m.Fix.Applied = written && !w.round.options.Fixes.Preview
	if written && w.round.options.Fixes.Preview {
		w.round.result.Previewed = append(w.round.result.Previewed, m.Finding.Finding)
	}
	return nil
}

// editsOf returns the edits of a plan, which its findings share.
func (w *planner) editsOf(plan *engine.Plan) ([]finding.FileEdit, error) {
	if edits, known := w.edits[plan]; known {
		return edits, nil
	}
	edits, err := engine.Edits(w.context, plan)
	if err == nil {
		w.edits[plan] = edits
	}
	return edits, err
}

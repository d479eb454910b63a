package lint

import (
	"context"
	"fmt"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
)

// Fixes say which fixes are wanted, and what is done with them.
type Fixes struct {
	// Apply carries fixes out: Outcome.Writes are the changes. Prove proves them without carrying them out, for reports
	// that show edits. With neither, fixes are worked out as far as needed to say which there are.
	Apply, Prove bool
	// Preview says that the changes are only shown: the findings stay as they are.
	Preview bool
	// Unsafe and Prune also apply fixes of these kinds.
	Unsafe, Prune bool
	Grant         engine.Grant
}

// wants tells whether a run carries out fixes of a kind.
func (f Fixes) wants(kind finding.FixKind) bool {
	switch kind {
	case finding.Unsafe:
		return f.Unsafe
	case finding.Prune:
		return f.Prune
	default:
		return true
	}
}

// workshop works out the fixes of findings.
type workshop struct {
	*run
	context *engine.Context
	applied []*engine.Plan
	// barred are plans that are not to be carried out: they would change what the user keeps.
	barred map[*engine.Plan]bool
}

func (r *run) newWorkshop(ctx context.Context) *workshop {
	return &workshop{run: r, barred: map[*engine.Plan]bool{}, context: &engine.Context{
		Repo: &engine.Repository{Units: r.units, Read: r.Tree.Read},
		Policy: engine.Policy{
			Grant: r.Fixes.Grant, Tokens: tokens(r.Config), PodSpecs: podSpecs(r.Config),
			Now: r.Now, TokenLifetime: r.Config.Grafana.TokenLifetime,
			Prune:  r.Fixes.Apply, // without --prune it is still said what could go
			Unsafe: r.Fixes.Unsafe,
		},
		Lookups: r.lookups(ctx),
	}}
}

// lookups answers what fixers ask about the repository.
func (r *run) lookups(ctx context.Context) engine.Lookups {
	return engine.Lookups{
		Target: r.judging.judgement.targetOf,
		References: func(names []string) (map[string][]objects.Mention, error) {
			if place, why := r.unread(); place != "" {
				return nil, &engine.Refusal{Reason: fmt.Sprintf("%s was not read (%s), so it is not known which accounts it names: "+
					"nothing is done about them", place, why)}
			}
			return r.judging.mentions.all(ctx, names)
		},
		Unread:         func(words []string) (place, why string) { return r.unreadWith(ctx, words) },
		WriteProtected: r.guarded(ctx),
		BundleNeeds: func(u *objects.Unit, extension *objects.Object, identity rbac.Subject) (engine.BundleNeeds, error) {
			return r.needs(ctx, u, extension, identity)
		},
		Rebuild: func(contents map[string][]byte, also func(*objects.Unit) bool) ([]*objects.Unit, error) {
			return loader.Rebuild(ctx, r.assembly, r.units, loader.Change{Contents: contents, Built: also})
		},
		Unrenderable: r.unproven, Excluded: r.leftOut,
	}
}

// mended is a finding and what became of its fix.
type mended struct {
	judged
	plan *engine.Plan
	// refused says why there is no fix, although the rule has one; alike is the same for reasons that are told together.
	refused, alike string
	// forbidden is what of the fix those may not create who apply it.
	forbidden []forbidden
}

// workOut finds the plans for all findings that have a fix. Each finding then says which fix there is.
func (w *workshop) workOut(found []judged) ([]mended, engine.Work, error) {
	all := make([]mended, len(found))
	var requests []engine.Request
	var of []int
	for i, f := range found {
		all[i].judged = f
		all[i].refused = f.report.Unfixable
		all[i].alike = alikeInCharts(f.report.Object, f.report.Unfixable)
		if request, ok := requestFor(f); ok {
			requests, of = append(requests, request), append(of, i)
		}
	}
	work, err := fixers.All(w.context, requests)
	if err != nil {
		return nil, work, err
	}
	for n, outcome := range work.Outcomes {
		m := &all[of[n]]
		if outcome.Plan == nil {
			m.refused = refusalOf(outcome)
			if outcome.Refusal != nil {
				m.alike = alikeInCharts(requests[n].Object, outcome.Refusal.Alike)
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
		return "another fix of this run takes care of it"
	}
	return outcome.Refusal.Reason
}

func requestFor(f judged) (engine.Request, bool) {
	if f.report.Fix == nil {
		return engine.Request{}, false
	}
	return engine.Request{
		Fixer: f.report.Fix.Name, Kind: finding.FixKind(f.report.Fix.Kind),
		Object: f.report.Object, Path: f.report.Path,
	}, true
}

// carryOut proves the plans that are wanted and marks their findings.
func (w *workshop) carryOut(all []mended, work engine.Work) ([]finding.Finding, error) {
	if err := w.checkTargets(all); err != nil {
		return nil, err
	}
	proof, err := verify.Prove(w.context, w.wanted(work))
	if err != nil {
		return nil, err
	}
	proof.Permissions.Made = w.Fixes.Apply && len(proof.Plans) > 0
	w.outcome.Permissions = &proof.Permissions
	reasons := map[*engine.Plan]string{}
	for _, refused := range proof.Refused {
		reasons[refused.Plan] = refused.Reason
	}
	for i := range all {
		if err := w.mark(&all[i], proof, reasons); err != nil {
			return nil, err
		}
	}
	if !w.Fixes.Apply {
		return nil, nil
	}
	if !w.Fixes.Preview {
		w.applied = proof.Plans
	}
	w.outcome.Writes = proof.Writes()
	for _, plan := range proof.Plans {
		for _, note := range plan.Notes {
			if !slices.Contains(w.outcome.Notes, note) {
				w.outcome.Notes = append(w.outcome.Notes, note)
			}
		}
	}
	w.outcome.left = w.pruned(work, proof, reasons)
	return w.outcome.left, nil
}

func (w *workshop) mark(m *mended, proof verify.Proof, reasons map[*engine.Plan]string) (err error) {
	if m.plan == nil || w.barred[m.plan] || !w.Fixes.wants(m.plan.Kind) {
		return nil
	}
	if reason, refused := reasons[m.plan]; refused {
		m.Fix, m.refused = nil, reason
		return nil
	}
	m.Fix.Applied = w.Fixes.Apply && !w.Fixes.Preview && slices.Contains(proof.Plans, m.plan)
	m.Fix.Edits, err = engine.Edits(w.context, m.plan)
	return err
}

// gone tells whether a finding is about something that another fix of this run removes: it is settled as well.
func (w *workshop) gone(m mended) bool {
	if m.Fix != nil && m.Fix.Applied {
		return false
	}
	object := m.report.Object
	path := object.At(m.report.Path)
	return slices.ContainsFunc(w.applied, func(p *engine.Plan) bool {
		return slices.ContainsFunc(p.Changes, func(c engine.Change) bool {
			removed := c.Op == engine.RemoveDocument || c.Op == engine.RemoveValue
			return removed && c.File == object.File && c.Document == object.Doc.Index &&
				len(c.Path) <= len(path) && slices.Equal(c.Path, path[:len(c.Path)])
		})
	})
}

// mend works out the fixes, takes out what is silenced, and carries out the fixes of what is left: findings that are
// silenced are not fixed, and neither are those that nobody asked about.
func (r *run) mend(ctx context.Context, found []judged) ([]finding.Finding, error) {
	r.countLeftOut(found)
	found = slices.DeleteFunc(found, func(f judged) bool { return !r.isReported(f) })
	shop := r.newWorkshop(ctx)
	all, work, err := shop.workOut(found)
	if err != nil {
		return nil, err
	}
	silence := r.silence(all)
	if left := silence.left(all); len(left) < len(all) {
		shop = r.newWorkshop(ctx)
		if all, work, err = shop.workOut(left); err != nil {
			return nil, err
		}
		if err := shop.bar(all, work, silence.from(found)); err != nil {
			return nil, err
		}
	}
	for i := range all {
		shop.checkAllowed(&all[i])
	}
	findings := silence.others
	r.outcome.Untold = r.judging.judgement.untold(all)
	if r.Fixes.Apply || r.Fixes.Prove {
		pruned, err := shop.carryOut(all, work)
		if err != nil {
			return nil, err
		}
		findings = append(findings, pruned...)
	}
	var left leftUnfixed
	for _, m := range all {
		if shop.gone(m) {
			continue
		}
		m.say()
		r.outcome.Undecided = r.outcome.Undecided || m.plan != nil && len(m.untold) > 0
		findings = append(findings, m.Finding)
		if note, ok := r.unfixable(m); ok {
			left.add(note, m.alike, silence)
		}
	}
	return append(findings, left.notes()...), nil
}

// unfixable says of a finding that it is not fixed, and why; it is not ok when there is nothing to say, or the
// configuration does not want to hear it.
func (r *run) unfixable(m mended) (note finding.Finding, ok bool) {
	note = m.Finding
	note.Rule, note.Severity, note.Fix = ruleUnfixable.name, ruleUnfixable.severity, nil
	note.Related = nil // the finding has them, right beside
	note.Message = m.Rule + " is not fixed: " + m.refused
	ok = m.refused != "" && r.configure(&note)
	return note, ok
}

// from are those among findings that are silenced.
func (s silencer) from(found []judged) []judged {
	return slices.DeleteFunc(slices.Clone(found), func(f judged) bool { return !s.silenced(f.Finding) })
}

// left are the findings that are not silenced, without their fixes.
func (s silencer) left(all []mended) []judged {
	var left []judged
	for _, m := range all {
		if !s.silenced(m.Finding) {
			m.Fix = nil
			left = append(left, m.judged)
		}
	}
	return left
}

// targetOf gives the target of an object in a unit, for fixers that look at several units.
func (j *judgement) targetOf(unit *objects.Unit, object *objects.Object) olm.Target {
	return j.of(unit, object).Target
}

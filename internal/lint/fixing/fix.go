package fixing

import (
	"context"
	"slices"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/lint/judging"
	"github.com/salint/salint/internal/lint/reading"
	"github.com/salint/salint/internal/proof/verify"
)

// Round fixes the findings of one round.
type Round struct {
	options  Options
	snapshot *reading.Snapshot
	judge    *judging.Judge
	report   *judging.Report
	result   Result
}

// Result is what the fixes of a round change.
type Result struct {
	// Writes are the verified changes to files, and Steps the same changes in the sequence in which they are written.
	Writes, Steps []commit.Write
	// ChangedUnits are the deployment units whose applied objects the fixes change, sorted.
	ChangedUnits []finding.Unit
	// Permissions are the effects of the fixes on permissions, as far as they were verified; nil if no fix was to be verified.
	Permissions *permission.Report
	Notes       []string
	// Left are the findings about what the fixes leave behind.
	Left []finding.Finding
	// Previewed are the findings whose fixes a preview writes in this round.
	Previewed []finding.Finding
	// Waiting is the error about fixes that are not made because they depend on an unknown target; nil if there are none.
	Waiting error
	// Leftovers are what is left to prune if not all steps are written. LeftoversElsewhere is set if the paths do not select all that
	// interrupted runs have left.
	Leftovers          Leftovers
	LeftoversElsewhere bool
}

// NewRound returns the round of what a judge has found in a snapshot.
func NewRound(o Options, j *judging.Judge, report *judging.Report) *Round {
	return &Round{options: o, snapshot: j.Snapshot, judge: j, report: report}
}

// Result returns what the fixes change.
func (r *Round) Result() Result { return r.result }

// Fix plans the fixes of the findings that are reported, drops silenced findings, and applies the fixes of the others.
func (r *Round) Fix(ctx context.Context, found []judging.Finding) ([]finding.Finding, error) {
	if err := r.buildFor(ctx, found); err != nil {
		return nil, err
	}
	fixes := r.newPlanner(ctx, r.scope())
	all, work, err := fixes.plan(found)
	if err != nil {
		return nil, err
	}
	silenced := r.silence(all)
	if left := left(all, silenced); len(left) < len(all) {
		fixes = r.newPlanner(ctx, r.scope())
		if all, work, err = fixes.plan(left); err != nil {
			return nil, err
		}
		if err := fixes.withhold(all, work, silencedOf(found, silenced)); err != nil {
			return nil, err
		}
	}
	for i := range all {
		fixes.checkCreation(&all[i])
	}
	findings := silenced.Others
	if r.options.Fixes.Apply || r.options.Fixes.Prove {
		pruned, err := fixes.prove(ctx, all, work)
		if err != nil {
			return nil, err
		}
		findings = append(findings, pruned...)
	} else {
		findings = append(findings, fixes.lostOnly(work)...)
	}
	var unfixed unfixableNotes
	isAboutOrphan := fixes.isAboutOrphan()
	for _, m := range all {
		if fixes.removed.isRemoved(m) || isAboutOrphan(m) {
			continue
		}
		m.describeRefusedObjects()
		findings = append(findings, m.Finding.Finding)
		if note, ok := r.unfixable(m); ok {
			unfixed.add(note, m.group, silenced)
		}
	}
	return append(findings, unfixed.notes()...), nil
}

// Limits returns what limits extensions as long as their identities count.
func (r *Round) Limits(ctx context.Context) *verify.Limits {
	return verify.NewLimits(r.newPlanner(ctx, nil).context)
}

// unfixable returns the note that a finding is not fixed, with the reason. ok is false if there is no reason, or if the
// configuration turns the note off. That the target is unknown is a separate note, unless fixes are asked for.
func (r *Round) unfixable(m result) (note finding.Finding, ok bool) {
	note = m.Finding.Finding
	note.Rule, note.Severity, note.Fix = finding.RuleUnfixable.Name, finding.RuleUnfixable.Severity, nil
	note.Message, note.Related = withoutDetail(UnfixablePrefix(m.Rule) + m.refused)
	ok = m.refused != "" && m.Unapplied == nil && !m.stated && (!m.waits || r.options.Fixes.Apply) && r.report.Configure(&note)
	return note, ok
}

// silence applies comments, annotations and the baseline to findings, and to the notes that they are not fixed.
func (r *Round) silence(all []result) judging.Silenced {
	var findings []finding.Finding
	for _, m := range all {
		findings = append(findings, m.Finding.Finding)
		if note, ok := r.unfixable(m); ok {
			findings = append(findings, note)
		}
	}
	return r.report.Silence(findings)
}

// silencedOf returns the findings that are silenced.
func silencedOf(found []judging.Finding, silenced judging.Silenced) []judging.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f judging.Finding) bool { return !silenced.Has(f.Finding) })
}

// left returns the findings that are not silenced, without their fixes.
func left(all []result, silenced judging.Silenced) []judging.Finding {
	var left []judging.Finding
	for _, m := range all {
		if !silenced.Has(m.Finding.Finding) {
			m.Fix = nil
			left = append(left, m.Finding)
		}
	}
	return left
}

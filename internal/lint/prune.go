package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/proof/verify"
)

// pruned reports what loses its use with the fields that go in this run: what --prune removed and what it left and why,
// or without it, what it would remove. No rule has found these: before the run they were in use.
func (w *workshop) pruned(work engine.Work, proof verify.Proof, reasons map[*engine.Plan]string) []finding.Finding {
	var findings []finding.Finding
	for _, outcome := range work.Prunes {
		if !w.inScope(outcome) || w.barred[outcome.Plan] || w.asked(work, outcome) {
			continue
		}
		f := w.aboutObject(outcome.Object)
		switch reason, refused := reasons[outcome.Plan]; {
		case !w.Fixes.Prune && !needsMet(outcome.Plan, proof.Plans) && !leaves(outcome, proof.Plans):
			continue
		case outcome.Plan == nil:
			f.Rule, f.Severity, f.Message = ruleUnfixable.name, ruleUnfixable.severity, refusalOf(outcome)
		case refused:
			f.Rule, f.Severity, f.Message = ruleUnfixable.name, ruleUnfixable.severity, reason
		case !needsMet(outcome.Plan, proof.Plans):
			continue // a field stays that names it, as its removal is not safe
		default:
			f.Rule, f.Severity = ruleOrphaned, severityOf(outcome.Plan)
			f.Message = orphaned(outcome, w.Fixes.Prune)
			f.Fix = w.pruneFix(outcome.Plan)
		}
		if !w.configure(&f) {
			continue
		}
		findings = append(findings, f)
	}
	return findings
}

// pruneFix is the fix that removes what lost its use. With --prune it is part of the run, and proven.
func (w *workshop) pruneFix(plan *engine.Plan) *finding.Fix {
	fix := &finding.Fix{Kind: finding.Prune, Applied: w.Fixes.Prune && !w.Fixes.Preview, Description: plan.Description}
	if w.Fixes.Prune {
		if edits, err := engine.Edits(w.context, plan); err == nil { // without them a report names the fix and does not show it
			fix.Edits = edits
		}
	}
	return fix
}

// inScope tells whether what is pruned lies in the files that the user asked about, or is applied by a unit that he did.
func (w *workshop) inScope(outcome engine.Outcome) bool {
	o := outcome.Object
	return o != nil && (w.reported(o.File) || w.Changed == nil && w.judging.scope.applies(w.units, o.File))
}

// wanted lists the plans of a run that are to be carried out. What needs one that is not stays as well.
func (w *workshop) wanted(work engine.Work) []*engine.Plan {
	inside, outside := map[*engine.Plan]bool{}, map[*engine.Plan]bool{}
	for _, outcome := range work.Prunes {
		if w.inScope(outcome) {
			inside[outcome.Plan] = true
		} else {
			outside[outcome.Plan] = true
		}
	}
	var unwanted []engine.Refused
	for _, p := range work.Plans() {
		if outside[p] && !inside[p] || w.barred[p] || !w.Fixes.wants(p.Kind) {
			unwanted = append(unwanted, engine.Refused{Plan: p})
		}
	}
	plans, _ := engine.Without(work.Plans(), unwanted)
	return plans
}

// orphaned says what an object is left with. That matters when it stays.
func orphaned(outcome engine.Outcome, goes bool) string {
	o := outcome.Object
	message := fmt.Sprintf("%s %s was only used by the field that this run removes", o.Kind, o.Name)
	var roles []string
	for _, loss := range outcome.Plan.Losses {
		if role := loss.Grant.Role.Kind + " " + loss.Grant.Role.Name; !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	if goes || len(roles) == 0 || o.Kind != "ServiceAccount" {
		return message
	}
	where := "its namespace"
	if o.Namespace != "" {
		where = "namespace " + o.Namespace
	}
	message = fmt.Sprintf("%s, and is still bound to %s: whoever may create pods in %s has that too",
		message, strings.Join(roles, ", "), where)
	if severityOf(outcome.Plan) == finding.Error {
		return message
	}
	return message + ". Later runs cannot tell what it was for, and report it only if its roles are those of an installer"
}

// needsMet tells whether there is a plan, and the fields that keep alive what it removes go in this run.
func needsMet(plan *engine.Plan, made []*engine.Plan) bool {
	return plan != nil && !slices.ContainsFunc(plan.Needs, func(need *engine.Plan) bool { return !slices.Contains(made, need) })
}

// leaves tells whether the fields go in this run that named an account which cannot be pruned for how it is applied.
func leaves(outcome engine.Outcome, made []*engine.Plan) bool {
	return slices.ContainsFunc(outcome.OrphanedBy, func(p *engine.Plan) bool { return slices.Contains(made, p) })
}

// severityOf is the severity of what nothing uses any more: an error when it could still do anything.
func severityOf(plan *engine.Plan) finding.Severity {
	admin := func(loss engine.GrantChange) bool {
		return loss.Grant.Role.Name == "cluster-admin" && loss.Grant.Scope == ""
	}
	if slices.ContainsFunc(plan.Losses, admin) {
		return finding.Error
	}
	return finding.Warning
}

// asked tells whether a finding of a rule already stands for what was pruned.
func (w *workshop) asked(work engine.Work, prune engine.Outcome) bool {
	return slices.ContainsFunc(work.Outcomes, func(o engine.Outcome) bool {
		return o.Object == prune.Object && o.Plan == prune.Plan
	})
}

func (w *workshop) aboutObject(o *objects.Object) finding.Finding {
	file, span := o.Locate(nil)
	span.End = span.Start
	return finding.Finding{File: file.Path, Range: rangeIn(file, span), Resource: resourceOf(o)}
}

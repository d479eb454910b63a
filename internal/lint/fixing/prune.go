package fixing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/proof/verify"
)

// ruleOrphaned is the rule about objects that nothing uses, also in the run that removes their last use.
const ruleOrphaned = "olm/installer-orphaned"

// pruned returns findings about objects that nothing uses after this run: those that --prune removed, those that it left, with the
// reason, and without --prune those that it would remove. Rules do not find these objects: they were in use before the run.
func (w *planner) pruned(work engine.Work, proof verify.Proof, reasons map[*engine.Plan]string) []finding.Finding {
	var findings []finding.Finding
	made, found := engine.SetOf(proof.Plans), ruleFindingsOf(work)
	for _, outcome := range work.Prunes {
		if !w.inScope(outcome) || w.withheld[outcome.Plan] {
			continue
		}
		if found.hasOne(outcome) {
			if outcome.Plan != nil && w.round.isLost(outcome.Object) {
				w.orphans = append(w.orphans, outcome.Plan)
			}
			continue
		}
		f := w.objectFinding(outcome.Object)
		switch reason, refused := reasons[outcome.Plan]; {
		case outcome.OnlyFormer:
			f.Rule, f.Severity, f.Message = ruleOrphaned, finding.Warning, w.leftOut(outcome.Object)
		case outcome.OnlyIn != nil && !w.round.options.Fixes.Prune && w.round.deletedExtension(outcome.Object) == "":
			continue // other units use it, and the rule reports it where it is left
		case !w.round.options.Fixes.Prune && !needsMet(outcome.Plan, made) && !leaves(outcome, made):
			continue
		case outcome.Plan == nil:
			f.Rule, f.Severity, f.Message = finding.RuleUnfixable.Name, finding.RuleUnfixable.Severity, refusalOf(outcome)
		case refused:
			findings = append(findings, w.keptFindings(outcome, reason, made)...)
			continue
		case !needsMet(outcome.Plan, made):
			continue // a field that names the object stays, because its removal is not safe
		default:
			f.Rule, f.Severity = ruleOrphaned, severityOf(outcome.Plan)
			f.Message = w.orphaned(outcome, w.round.options.Fixes.Prune)
			f.Fix = w.pruneFix(outcome.Plan)
		}
		if !w.round.report.Configure(&f) {
			continue
		}
		if f.Rule == ruleOrphaned && outcome.Plan != nil && w.round.isLost(outcome.Object) {
			w.orphans = append(w.orphans, outcome.Plan)
		}
		findings = append(findings, f)
	}
	return findings
}

// ruleClusterAdmin is the rule that advises to bind a smaller role.
const ruleClusterAdmin = "rbac/cluster-admin-grant"

// isAboutOrphan returns which findings advise to limit the grant of an account that is unused since a revision: it is to be removed.
func (w *planner) isAboutOrphan() func(result) bool {
	gone, patched := removalsOf(w.orphans), map[*objects.Object]bool{}
	for _, plan := range w.orphans {
		for _, change := range plan.Applied {
			patched[change.Object] = patched[change.Object] || change.Op == engine.RemoveDocument
		}
	}
	return func(m result) bool {
		return m.Rule == ruleClusterAdmin && (patched[m.Report.Object] || gone.isRemoved(m))
	}
}

// lostOnly returns findings about the accounts that an earlier change has made unused, in a run that changes nothing.
func (w *planner) lostOnly(work engine.Work) []finding.Finding {
	if len(w.round.options.Lost.Objects) == 0 {
		return nil
	}
	return w.pruned(work, verify.Proof{}, nil)
}

// keptFindings returns the findings about an object that --prune does not remove: the reason, and if this run makes the object unused,
// that it is left. A refusal makes nothing safer.
func (w *planner) keptFindings(outcome engine.Outcome, reason string, made map[*engine.Plan]bool) []finding.Finding {
	why := w.objectFinding(outcome.Object)
	why.Rule, why.Severity, why.Message = finding.RuleUnfixable.Name, finding.RuleUnfixable.Severity, reason
	found := []finding.Finding{why}
	if len(outcome.Plan.Needs) > 0 && needsMet(outcome.Plan, made) {
		left := w.objectFinding(outcome.Object)
		left.Rule, left.Severity, left.Message = ruleOrphaned, severityOf(outcome.Plan), w.orphaned(outcome, false)
		found = append(found, left)
	}
	for i := range found {
		if !w.round.report.Configure(&found[i]) {
			found[i].Severity = finding.Off
		}
	}
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Severity == finding.Off })
}

// pruneFix returns the fix that removes an unused object. With --prune it is part of the run, and verified.
func (w *planner) pruneFix(plan *engine.Plan) *finding.Fix {
	fix := &finding.Fix{Kind: finding.Prune, Applied: w.round.options.Fixes.Prune && !w.round.options.Fixes.Preview, Description: plan.Description}
	if w.round.options.Fixes.Prune {
		if edits, err := w.editsOf(plan); err == nil { // without edits, reports name the fix and do not show it
			fix.SetEdits(edits)
		}
	}
	return fix
}

// inScope reports whether the paths select a pruned object.
func (w *planner) inScope(outcome engine.Outcome) bool {
	return outcome.Object != nil && (w.round.report.Concerns(outcome.Object) || w.round.isLost(outcome.Object) && w.round.report.Selects(outcome.Object))
}

// wanted returns the plans that are to be applied. A plan that needs one that is not applied is left out as well.
func (w *planner) wanted(work engine.Work) []*engine.Plan {
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
		if outside[p] && !inside[p] || w.withheld[p] || !w.round.options.Fixes.wants(p.Kind) {
			unwanted = append(unwanted, engine.Refused{Plan: p})
		}
	}
	plans, _ := engine.Without(work.Plans(), unwanted)
	return plans
}

// orphaned returns the message about an unused object, with the roles to which it is still bound if it stays.
func (w *planner) orphaned(outcome engine.Outcome, goes bool) string {
	o := outcome.Object
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	by, in := "the field that this run removes", ""
	if outcome.OnlyIn != nil {
		in = " in " + engine.UnitList(outcome.OnlyIn)
	}
	deleted := w.round.deletedExtension(o)
	switch {
	case len(outcome.Plan.Needs) > 0:
	case deleted != "":
		by, in = "ClusterExtension "+deleted+" (removed since "+w.round.options.Since+in+")", ""
	case w.round.isLost(o):
		by = "a field that was removed since " + w.round.options.Since
	case w.round.isLeftover(o):
		by = "a field that an interrupted run removed"
	}
	message := fmt.Sprintf("%s %s was only used by %s%s", o.Kind, name, by, in)
	var roles []string
	for _, loss := range outcome.Plan.Losses {
		if role := loss.Grant.Role.Kind + " " + loss.Grant.Role.Name; !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	if goes || len(roles) == 0 || o.Kind != "ServiceAccount" {
		return message + "."
	}
	message = stillBound(message, roles)
	if severityOf(outcome.Plan) == finding.Error && deleted == "" {
		return message
	}
	return message + w.laterRuns()
}

// leftOut returns the message about the account of an extension that its unit no longer applies, although its manifest is there.
func (w *planner) leftOut(o *objects.Object) string {
	unit := w.context.Repo.UnitThatHas(o)
	message := fmt.Sprintf("%s %s/%s was only used by ClusterExtension %s (since %s not in %s)", o.Kind, o.Namespace, o.Name,
		w.round.deletedExtension(o), w.round.options.Since, unit)
	still := fmt.Sprintf(" %s still has the extension.", w.context.Policy.FormerFiles[o])
	var roles []string
	for _, b := range rbac.BindingsOf(unit, o, rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: o.Namespace, Name: o.Name}) {
		if role := b.Role.Kind + " " + b.Role.Name; !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	if len(roles) == 0 {
		return message + "." + still
	}
	return stillBound(message, roles) + still + w.laterRuns()
}

// stillBound continues a message about an account that nothing uses with its roles, and what to do.
func stillBound(message string, roles []string) string {
	if more := len(roles) - maxRoles; more > 0 {
		roles = append(roles[:maxRoles:maxRoles], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s, and is still bound to %s. %s Remove it with its bindings, unless it is used outside of the repository.",
		message, strings.Join(roles, ", "), usableByPods)
}

// laterRuns says which runs report an account again.
func (w *planner) laterRuns() string {
	since := "--changed-since"
	if commit := cmp.Or(w.round.options.Since, w.round.options.Fixes.Commit); commit != "" {
		since += " " + commit
	}
	return " Later runs report it only with " + since + ", or if its roles are those of an installer."
}

// maxRoles is the number of roles that a message names.
const maxRoles = 3

// usableByPods is the sentence usable_by_pods of rego/lib/accounts.rego.
const usableByPods = "Anyone creating pods in its namespace can use it."

// needsMet reports whether there is a plan, and all plans that it needs are made in this run.
func needsMet(plan *engine.Plan, made map[*engine.Plan]bool) bool {
	return plan != nil && !slices.ContainsFunc(plan.Needs, func(need *engine.Plan) bool { return !made[need] })
}

// leaves reports whether this run removes a field that names an account which cannot be pruned because of how it is applied.
func leaves(outcome engine.Outcome, made map[*engine.Plan]bool) bool {
	return slices.ContainsFunc(outcome.OrphanedBy, func(p *engine.Plan) bool { return made[p] })
}

// severityOf returns the severity of an unused object: an error if it is still cluster-admin.
func severityOf(plan *engine.Plan) finding.Severity {
	admin := func(loss engine.GrantChange) bool {
		return loss.Grant.Role.Name == "cluster-admin" && loss.Grant.Scope == ""
	}
	if slices.ContainsFunc(plan.Losses, admin) {
		return finding.Error
	}
	return finding.Warning
}

// ruleFindings are the plans and refusals of findings of rules, so that the objects that the run prunes are looked up.
type ruleFindings struct {
	objects map[*engine.Plan]map[string]bool // the objects by their source, those without one by themselves
	kinds   map[*engine.Plan]map[string]bool
}

func ruleFindingsOf(work engine.Work) ruleFindings {
	f := ruleFindings{map[*engine.Plan]map[string]bool{}, map[*engine.Plan]map[string]bool{}}
	for _, o := range work.Outcomes {
		if o.Object == nil {
			continue
		}
		if f.objects[o.Plan] == nil {
			f.objects[o.Plan], f.kinds[o.Plan] = map[string]bool{}, map[string]bool{}
		}
		f.objects[o.Plan][applied.SourceKey(o.Object)] = true
		f.kinds[o.Plan][o.Object.Kind] = true
	}
	return f
}

// hasOne reports whether a finding of a rule is already about the pruned object, or about another form of its manifest: one plan
// removes one account.
func (f ruleFindings) hasOne(prune engine.Outcome) bool {
	if prune.Object == nil {
		return false
	}
	return f.objects[prune.Plan][applied.SourceKey(prune.Object)] || prune.Plan != nil && f.kinds[prune.Plan][prune.Object.Kind]
}

func (w *planner) objectFinding(o *objects.Object) finding.Finding {
	file, span := o.Locate(nil)
	span.End = span.Start
	return finding.Finding{File: file.Path, Range: finding.RangeIn(file, span), Resource: finding.ResourceOf(o)}
}

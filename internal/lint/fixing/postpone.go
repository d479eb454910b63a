package fixing

import (
	"fmt"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Acting are the extensions for which OLM acts as the accounts that they name, as the files have them before the run.
// The cluster has them like this until the changes of the run are applied.
type Acting struct {
	known     bool
	delivery  *delivery.Delivery
	byAccount map[objects.Account][]actingExtension
}

type actingExtension struct {
	unit   *objects.Unit
	object *objects.Object
}

// find finds the extensions whose accounts count although they are optional, unless an earlier round has. Where accounts are required the
// field stays, and where they are ignored OLM does not act as them.
func (a *Acting) find(r *Round) {
	if a.known {
		return
	}
	a.known, a.delivery, a.byAccount = true, r.snapshot.Delivery, map[objects.Account][]actingExtension{}
	group := olm.APIGroup
	for _, unit := range r.snapshot.Units {
		for _, o := range unit.Find(objects.Query{Group: &group, Kind: olm.ClusterExtensionKind}) {
			read, ok := olm.ReadExtension(o.Node)
			if !ok || read.Account.State != olm.Named || r.judge.Targets.Of(unit, o).Target.Model != olm.Synthetic {
				continue
			}
			account := objects.Account{Namespace: read.Namespace, Name: read.Account.Name}
			a.byAccount[account] = append(a.byAccount[account], actingExtension{unit, o})
		}
	}
}

// postpone leaves out the plans that remove accounts which can be deleted from the cluster while OLM still acts as them: the change
// that removes the field is applied after them, or at an unknown time.
func (w *planner) postpone(work engine.Work, wanted []*engine.Plan) (left []*engine.Plan, postponed []engine.Refused) {
	if !w.round.options.Fixes.Prune {
		return wanted, nil
	}
	w.round.options.Acting.find(w.round)
	for _, outcome := range work.Prunes {
		if outcome.Plan == nil || outcome.Object.Kind != rbac.KindServiceAccount {
			continue
		}
		if why := w.actsUntilApplied(outcome.Plan); why != "" {
			postponed = append(postponed, engine.Refused{Plan: outcome.Plan, Reason: why})
		}
	}
	return engine.Without(wanted, postponed)
}

// actsUntilApplied returns why an account that a plan removes can be deleted too early; "" if it cannot.
func (w *planner) actsUntilApplied(plan *engine.Plan) string {
	isRemoved := func(o *objects.Object) bool { return o.File == plan.Object.File }
	for _, form := range w.context.Repo.AppliedForms(plan.Object) {
		account := objects.Account{Namespace: form.Object.Namespace, Name: form.Object.Name}
		for _, e := range w.round.options.Acting.byAccount[account] {
			early, found := w.round.options.Acting.delivery.EarlyRemoval(e.unit, e.object, account, isRemoved)
			if !found {
				continue
			}
			what := "the account"
			if early.Object.Kind != rbac.KindServiceAccount {
				what = engine.NameOf(early.Object).String()
			}
			return fmt.Sprintf("OLM acts as %s until the change of ClusterExtension %s is applied, and %s can delete %s before that: "+
				"apply the change first, then run salint with --fix --prune again%s (%s)",
				engine.NameOf(form.Object), e.object.Name, early.Unit, what, ifUnreported(plan), early.Why)
		}
	}
	return ""
}

// ifUnreported says what to do if no rule finds an account again that this run makes unused, because its roles can be those of anything.
func ifUnreported(plan *engine.Plan) string {
	if len(plan.Needs) == 0 || severityOf(plan) == finding.Error {
		return ""
	}
	return ", or remove the account with its bindings by hand if that does not report it"
}

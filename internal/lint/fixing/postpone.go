package fixing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// Acting are the extensions for which OLM can act as accounts until the changes of the run are applied: what they name in the files as
// they were before the run, and in the state that the cluster has.
type Acting struct {
	known      bool
	delivery   *delivery.Delivery
	extensions []actingExtension
	// byNamespace are the extensions by the namespace of their accounts.
	byNamespace map[string][]actingExtension
	// Read reads the state that the cluster has; nil if there is none. It is asked once, and only if a plan needs it.
	Read  func(context.Context) State
	state *State
	lost  map[objects.Account][]lostAccount
}

// actingExtension is an extension as a unit applies it. OLM acts as its account if optional is set: where accounts are required the field
// stays, and where they are ignored OLM does not act as them.
type actingExtension struct {
	appliedExtension
	optional bool
}

// find finds the extensions, unless an earlier round has.
func (a *Acting) find(r *Round) {
	if a.known {
		return
	}
	a.known, a.delivery, a.byNamespace = true, r.snapshot.Delivery, map[string][]actingExtension{}
	for _, e := range extensionsIn(r.snapshot.Units) {
		acting := actingExtension{e, r.judge.Targets.Of(e.unit, e.object).Target.Model == olm.Synthetic}
		a.extensions = append(a.extensions, acting)
		a.byNamespace[e.namespace] = append(a.byNamespace[e.namespace], acting)
	}
}

// cluster returns the state that the cluster has.
func (a *Acting) cluster(ctx context.Context) State {
	if a.state != nil {
		return *a.state
	}
	a.state, a.lost = &State{}, map[objects.Account][]lostAccount{}
	if a.Read == nil {
		return *a.state
	}
	*a.state = a.Read(ctx)
	var now []appliedExtension
	for _, e := range a.extensions {
		now = append(now, e.appliedExtension)
	}
	for _, l := range lost(now, a.state.Accounts) {
		a.lost[l.named] = append(a.lost[l.named], l)
	}
	return *a.state
}

// actsAs returns whether OLM acts as an account for an extension: it does if the field of the extension names the account, here or in the
// state that the cluster has, and it can if that state is not known.
func (a *Acting) actsAs(ctx context.Context, e actingExtension, account objects.Account) answer {
	if e.account.State == olm.Named && e.account.Name == account.Name && e.namespace == account.Namespace {
		return acts
	}
	state := a.cluster(ctx)
	isSame := func(l lostAccount) bool { return l.unit == e.unit && l.object == e.object }
	switch {
	case slices.ContainsFunc(a.lost[account], isSame):
		return acts
	case state.Unknown != nil && e.account.State != olm.Named && e.namespace == account.Namespace:
		return canAct
	}
	return doesNotAct
}

// answer is whether OLM acts as an account for an extension.
type answer int

const (
	doesNotAct answer = iota
	canAct
	acts
)

// postpone leaves out the plans that remove accounts which can be deleted from the cluster while OLM still acts as them: the change
// that removes the field is applied after them, or at an unknown time, or the live object keeps the field.
func (w *planner) postpone(ctx context.Context, work engine.Work, wanted []*engine.Plan) (left []*engine.Plan, postponed []engine.Refused) {
	if !w.round.options.Fixes.Prune {
		return wanted, nil
	}
	w.round.options.Acting.find(w.round)
	for _, outcome := range work.Prunes {
		if outcome.Plan == nil || outcome.Object.Kind != rbac.KindServiceAccount {
			continue
		}
		if why := w.actsUntilApplied(ctx, outcome.Plan); why != "" {
			postponed = append(postponed, engine.Refused{Plan: outcome.Plan, Reason: why})
		}
	}
	return engine.Without(wanted, postponed)
}

// actsUntilApplied returns why an account that a plan removes can be deleted too early; "" if it cannot.
func (w *planner) actsUntilApplied(ctx context.Context, plan *engine.Plan) string {
	for _, form := range w.context.Repo.AppliedForms(plan.Object) {
		for _, e := range w.round.options.Acting.byNamespace[form.Object.Namespace] {
			if why := w.actsUntil(ctx, plan, form.Object, e); why != "" {
				return why
			}
		}
	}
	return ""
}

// actsUntil returns why an account, as a unit applies it, can be deleted while OLM acts as it for an extension.
func (w *planner) actsUntil(ctx context.Context, plan *engine.Plan, o *objects.Object, e actingExtension) string {
	acting := w.round.options.Acting
	account := objects.Account{Namespace: o.Namespace, Name: o.Name}
	if kept, is := acting.delivery.KeepsField(e.unit, e.object, e.account.Path); is && w.mayKeep(ctx, e, account) {
		return fmt.Sprintf("%s, so the object there can still name %s: check with `%s`, and remove the account with its bindings by hand if that prints nothing",
			kept, engine.NameOf(o), checkCommand(e))
	}
	if !e.optional {
		return ""
	}
	isRemoved := func(other *objects.Object) bool { return other.File == plan.Object.File }
	early, found := acting.delivery.EarlyRemoval(e.unit, e.object, account, isRemoved)
	if !found {
		return ""
	}
	how := acting.actsAs(ctx, e, account)
	if how == doesNotAct {
		return ""
	}
	what := "the account"
	if early.Object.Kind != rbac.KindServiceAccount {
		what = engine.NameOf(early.Object).String()
	}
	if how == canAct {
		return fmt.Sprintf("OLM can act as %s until a change of ClusterExtension %s is applied, and %s can delete %s before that (%s). Which changes are not applied is "+
			"not known: %v", engine.NameOf(o), e.object.Name, early.Unit, what, early.Why, acting.cluster(ctx).Unknown)
	}
	return fmt.Sprintf("OLM acts as %s until the change of ClusterExtension %s is applied, and %s can delete %s before that: "+
		"apply the change first, then %s (%s)", engine.NameOf(o), e.object.Name, early.Unit, what, w.pruneLater(ctx, e, account), early.Why)
}

// mayKeep reports whether an extension whose object on the cluster keeps its field can name an account there. If neither its files nor the
// state that the cluster has say which account that is, any of the namespace can be meant.
func (w *planner) mayKeep(ctx context.Context, e actingExtension, account objects.Account) bool {
	if e.namespace != account.Namespace {
		return false
	}
	if w.round.options.Acting.actsAs(ctx, e, account) != doesNotAct {
		return true
	}
	isOther := func(n NamedAccount) bool { return n.Extension == e.object.Name && n.Account != account }
	return e.account.State != olm.Named && !slices.ContainsFunc(w.round.options.Acting.cluster(ctx).Accounts, isOther)
}

// checkCommand returns the command that prints the account which an extension names on the cluster.
func checkCommand(e actingExtension) string {
	return shell.Join([]string{"kubectl", "get", "clusterextension", e.object.Name, "-o", "jsonpath={." + strings.Join(e.account.Path, ".") + ".name}"})
}

// pruneLater says how to remove an account once the change of an extension is applied: with a comparison with the state that the cluster
// has now, if the extension names the account in it.
func (w *planner) pruneLater(ctx context.Context, e actingExtension, account objects.Account) string {
	state := w.round.options.Acting.cluster(ctx)
	names := func(n NamedAccount) bool { return n.Extension == e.object.Name && n.Account == account }
	if state.Revision == "" || !slices.ContainsFunc(state.Accounts, names) {
		return "run salint with --fix --prune again, or remove the account with its bindings by hand if that does not report it"
	}
	revision := state.Revision[:min(len(state.Revision), lenRevision)]
	command := "salint lint --fix --prune --changed-since " + revision
	if w.round.options.Fixes.PruneCommand != nil {
		command = w.round.options.Fixes.PruneCommand(revision)
	}
	return "run `" + command + "`"
}

// lenRevision is the length of a commit in a command that a person runs soon in the same repository.
const lenRevision = 12

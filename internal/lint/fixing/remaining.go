package fixing

import (
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/subjects"
	"github.com/salint/salint/internal/assemble/delivery"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
)

// unitBinding is a binding as a unit applies it.
type unitBinding struct {
	unit   *objects.Unit
	object *objects.Object
}

// remaining returns the bindings that plans remove from the repository and that stay on the cluster, because what applies their units does
// not delete them, and then the accounts of these units. A binding that only loses subjects is applied without them.
func (w *planner) remaining(plans []*engine.Plan) (all []permission.Remaining) {
	lost := map[unitBinding][]rbac.Subject{}
	var order []unitBinding
	for _, p := range plans {
		if p.Kind != finding.Prune {
			continue
		}
		for _, loss := range p.Losses {
			if loss.Binding == nil || loss.Unit == nil {
				continue
			}
			b := unitBinding{loss.Unit, loss.Binding}
			if lost[b] == nil {
				order = append(order, b)
			}
			if !slices.Contains(lost[b], loss.Subject) {
				lost[b] = append(lost[b], loss.Subject)
			}
		}
	}
	units := map[*objects.Unit]bool{}
	for _, b := range order {
		why, stays := w.round.snapshot.Delivery.KeepsRemoved(b.unit, b.object)
		if !stays || len(lost[b]) < subjects.Count(b.object) {
			continue
		}
		all, units[b.unit] = add(all, b.unit.String(), why, b.object), true
	}
	for _, p := range plans {
		for _, form := range w.context.Repo.AppliedForms(p.Object) {
			why, stays := w.round.snapshot.Delivery.KeepsRemoved(form.Unit, form.Object)
			if p.Kind == finding.Prune && form.Object.Kind == rbac.KindServiceAccount && units[form.Unit] && stays {
				all = add(all, form.Unit.String(), why, form.Object)
			}
		}
	}
	return all
}

// add adds an object to those of its unit that stay for the same reason.
func add(all []permission.Remaining, unit, why string, o *objects.Object) []permission.Remaining {
	i := slices.IndexFunc(all, func(m permission.Remaining) bool { return m.Unit == unit && m.Why == why })
	if i < 0 {
		i = len(all)
		all = append(all, permission.Remaining{Unit: unit, Why: why})
	}
	all[i].Objects = words.AddOnce(all[i].Objects, engine.NameOf(o).String())
	all[i].Commands = words.AddOnce(all[i].Commands, delivery.DeleteCommand(o))
	return all
}

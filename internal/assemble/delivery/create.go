package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// CreateCheck is the result of checking whether an application can create an object.
type CreateCheck struct {
	Application *gitops.Application
	Object      gitops.NewObject
	gitops.Permission
}

// NotAllowed returns the applications that apply a unit and cannot create an object, or for which this is unknown. Flux and
// Argo CD with their own identity can create everything.
func (d *Delivery) NotAllowed(u *objects.Unit, w gitops.NewObject) []CreateCheck {
	var answers []CreateCheck
	if w.Role != nil && w.Rules == nil {
		// The role is in the unit of its binding; the bindings of the account that creates the binding can be in another
		// unit.
		if rules, known, _ := rbac.RoleRulesOf(u, *w.Role, nil); known {
			w.Rules = rules
		}
	}
	for _, a := range d.appliers(u) {
		if p := d.checkCreate(a, u, w); p.Verdict != gitops.Allowed {
			answers = append(answers, CreateCheck{a, w, p})
		}
	}
	return answers
}

// checkCreate looks for the bindings of the account that an application acts as: in the unit of the application, where
// tenants are usually set up, and in the unit that it applies. Bindings in other units count only if all agree, because
// several clusters can have accounts of that name.
func (d *Delivery) checkCreate(a *gitops.Application, u *objects.Unit, w gitops.NewObject) gitops.Permission {
	ask := func(unit *objects.Unit) gitops.Permission { return d.result().CanCreate(a, unit, w) }
	near := append(d.unitsWith(a.Object), u)
	for _, unit := range near {
		if p := ask(unit); p.Verdict != gitops.Unknown {
			return p
		}
	}
	unknown := ask(near[0])
	answer := unknown
	for _, unit := range d.units() {
		p := ask(unit)
		switch {
		case slices.Contains(near, unit) || p.Verdict == gitops.Unknown:
		case answer.Verdict != gitops.Unknown && answer.Verdict != p.Verdict:
			return unknown
		default:
			answer = p
		}
	}
	return answer
}

// unitsWith returns the units that apply an object.
func (d *Delivery) unitsWith(o *objects.Object) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range d.units() {
		if unit.Object(o.Ref()) == o {
			units = append(units, unit)
		}
	}
	return units
}

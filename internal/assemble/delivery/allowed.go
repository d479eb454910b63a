package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Answer is what is known of whether an application may create an object.
type Answer struct {
	Application *gitops.Application
	Wanted      gitops.Wanted
	gitops.Permission
}

// NotAllowed lists the applications that apply a unit and may not create an object, or of which that is not known. Flux and
// Argo CD that act as themselves may do everything.
func (d *Delivery) NotAllowed(u *objects.Unit, w gitops.Wanted) []Answer {
	var answers []Answer
	if w.Role != nil && w.Rules == nil {
		// The role is beside its binding, and the account that may bind it perhaps elsewhere.
		if rules, known, _ := rbac.RoleRulesOf(u, *w.Role, nil); known {
			w.Rules = rules
		}
	}
	for _, a := range d.appliers(u) {
		if p := d.may(a, u, w); p.Verdict != gitops.Allowed {
			answers = append(answers, Answer{a, w, p})
		}
	}
	return answers
}

// may asks where the bindings of the account may lie that an application acts as: beside the application, for that is how
// tenants are set up, or beside what it applies. Elsewhere several clusters may have accounts of the name, so there all that
// say anything must agree.
func (d *Delivery) may(a *gitops.Application, u *objects.Unit, w gitops.Wanted) gitops.Permission {
	ask := func(unit *objects.Unit) gitops.Permission { return d.result.May(a, unit, w) }
	near := append(d.holding(a.Object), u)
	for _, unit := range near {
		if p := ask(unit); p.Verdict != gitops.Unknown {
			return p
		}
	}
	unknown := ask(near[0])
	answer := unknown
	for _, unit := range d.units {
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

// holding are the units that apply an object.
func (d *Delivery) holding(o *objects.Object) []*objects.Unit {
	var units []*objects.Unit
	for _, unit := range d.units {
		if unit.Object(o.Ref()) == o {
			units = append(units, unit)
		}
	}
	return units
}

package delivery

import (
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// Acting is an application that its tool applies as an account.
type Acting struct {
	Application *gitops.Application
	gitops.Impersonation
	// Units are what the application applies, as far as it is in the repository.
	Units []*objects.Unit
	// Default is the controller whose setting names the account, if the application names none; otherwise nil.
	Default *objects.Object
}

// Actings returns the applications whose account an object names: a Kustomization or HelmRelease of Flux names its own, and an
// AppProject those of its Applications. Suspended applications, and those of a cluster that the repository does not identify, are
// left out.
func (d *Delivery) Actings(o *objects.Object) []Acting {
	if d == nil || !d.MayAct(o) {
		return nil
	}
	return d.actings()[o]
}

// MayAct reports whether an object can name an account as which something is applied. It builds nothing.
func (d *Delivery) MayAct(o *objects.Object) bool {
	return d == nil || !isFlux(o) || namesAccount(o) || d.defaults.may()
}

func isFlux(o *objects.Object) bool { return o.Kind == "Kustomization" || o.Kind == "HelmRelease" }

// namesAccount reports whether a Kustomization or HelmRelease of Flux names its account.
func namesAccount(o *objects.Object) bool {
	return view.Of(o).Get("spec", "serviceAccountName").There()
}

// ActingUnits returns the units that applications apply as accounts, each once.
func (d *Delivery) ActingUnits() []*objects.Unit {
	var units []*objects.Unit
	seen := map[*objects.Unit]bool{}
	for _, unit := range d.delivered() {
		for _, a := range d.of(unit) {
			if _, ok := d.acting(a); ok && !seen[unit] {
				seen[unit] = true
				units = append(units, unit)
			}
		}
	}
	return units
}

func (d *Delivery) indexActings() map[*objects.Object][]Acting {
	named := map[*objects.Object][]Acting{}
	for _, a := range d.result().Applications {
		as, ok := d.acting(a)
		if !ok {
			continue
		}
		acting := Acting{Application: a, Impersonation: as}
		_, acting.Default, _ = d.byDefault(a)
		for _, applied := range d.applied()[a.Object] {
			if applied.application == a {
				acting.Units = append(acting.Units, applied.unit)
			}
		}
		named[as.Location.Object] = append(named[as.Location.Object], acting)
	}
	return named
}

// acting returns the account as which an application is applied, if it is applied, and to a known cluster.
func (d *Delivery) acting(a *gitops.Application) (gitops.Impersonation, bool) {
	if a.Suspended.Value || !clusterIsKnown(a) {
		return gitops.Impersonation{}, false
	}
	if as, _, is := d.byDefault(a); is {
		return as, true
	}
	return d.result().Impersonation(a)
}

func (d *Delivery) indexHolders() map[*objects.Object][]*objects.Unit {
	objectsOfApplications := map[*objects.Object]bool{}
	for _, a := range d.result().Applications {
		objectsOfApplications[a.Object] = true
	}
	holders := map[*objects.Object][]*objects.Unit{}
	for _, unit := range d.units() {
		for _, o := range unit.Objects {
			if objectsOfApplications[o] {
				holders[o] = append(holders[o], unit)
			}
		}
	}
	return holders
}

package delivery

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
)

// defaultAccount is the account as which a controller of Flux acts for an object that names none.
type defaultAccount struct {
	name string
	// by is the Deployment of the controller, or the FluxInstance.
	by *objects.Object
}

var controllers = map[gitops.Tool]string{gitops.FluxKustomize: "kustomize-controller", gitops.FluxHelm: "helm-controller"}

// mayHaveDefault reports whether a file shows the flag, or the setting of FluxInstances that becomes the flag. It builds nothing.
func (d *Delivery) mayHaveDefault() bool {
	return slices.ContainsFunc(d.written, func(unit *objects.Unit) bool {
		return slices.ContainsFunc(unit.Kustomizations, func(k *objects.Kustomization) bool { return flux.ShowsDefaultAccount(k.Doc.File.Data) }) ||
			slices.ContainsFunc(unit.Objects, func(o *objects.Object) bool {
				return (o.Kind == "Deployment" || o.Kind == "FluxInstance") && o.Doc != nil && flux.ShowsDefaultAccount(o.Doc.File.Data)
			})
	})
}

// indexDefaults returns the accounts that controllers default to. If the repository has controllers of several clusters, all of them must have
// the same.
func (d *Delivery) indexDefaults() map[gitops.Tool]defaultAccount {
	found := map[gitops.Tool]defaultAccount{}
	if !d.defaults.may() {
		return found
	}
	for tool, controller := range controllers {
		var names []string
		var first *objects.Object
		for _, unit := range d.units() {
			for _, o := range unit.Objects {
				if !flux.IsController(o, controller) {
					continue
				}
				names = append(names, flux.SettingsOf([]*objects.Object{o}, controller).DefaultAccount)
				if first == nil {
					first = o
				}
			}
		}
		slices.Sort(names)
		if names = slices.Compact(names); len(names) == 1 && names[0] != "" {
			found[tool] = defaultAccount{names[0], first}
		}
	}
	return found
}

// byDefault returns the account as which Flux applies an application that names none.
func (d *Delivery) byDefault(a *gitops.Application) (gitops.Impersonation, *objects.Object, bool) {
	if a.Tool == gitops.ArgoCD || a.Account.Value != "" || a.Namespace.Value == "" {
		return gitops.Impersonation{}, nil, false
	}
	account, is := d.defaults.of()[a.Tool]
	if !is {
		return gitops.Impersonation{}, nil, false
	}
	at := view.Of(a.Object).Get("spec").At()
	return gitops.Impersonation{Account: objects.Account{Namespace: a.Namespace.Value, Name: account.name}, Location: at}, account.by, true
}

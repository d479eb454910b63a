package flux

import (
	"cmp"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The groups of Flux and of Flux Operator.
const (
	kustomizeGroup = "kustomize.toolkit.fluxcd.io"
	helmGroup      = "helm.toolkit.fluxcd.io"
	operatorGroup  = "fluxcd.controlplane.io"
)

// The controllers, by the names of their Deployments and accounts.
const (
	kustomizeController = "kustomize-controller"
	helmController      = "helm-controller"
	sourceWatcher       = "source-watcher" // makes ExternalArtifacts
)

// Applied is something that Flux applies to its cluster: a Kustomization or HelmRelease.
type Applied struct {
	// Object is the Kustomization or HelmRelease, or the FluxInstance from which Flux Operator makes the Kustomization.
	Object *objects.Object
	Kind   string
	// Namespace is "" if the manifest sets none.
	Namespace, Name string
	// Controller is the name of the controller, and of its account.
	Controller string
	// Account is the account as which the controller acts; its Name is "" if that is the account of the controller.
	Account objects.Account
	// Deciders are the objects whose writers decide what is applied.
	Deciders []Decider
}

// String returns the kind and the name.
func (a Applied) String() string { return a.Kind + " " + qualified(a.Namespace, a.Name) }

// Kinds returns the kinds that Read needs, with their groups.
func Kinds() map[string][]string {
	return map[string][]string{
		"Kustomization": {kustomizeGroup}, "HelmRelease": {helmGroup}, "FluxInstance": {operatorGroup},
		gitRepository: {sourceGroup}, helmChart: {sourceGroup}, "OCIRepository": {sourceGroup}, "Bucket": {sourceGroup}, "HelmRepository": {sourceGroup},
		artifactGenerator: {extensionGroup}, "Deployment": {kustomizeController, helmController, sourceWatcher},
	}
}

// Read returns what Flux applies to the cluster of some objects. What is suspended, what a kubeConfig sends to another cluster, and what Flux
// refuses is left out, and so are accounts that are filled in later.
func Read(objs []*objects.Object) []Applied {
	r := &reader{index: indexOf(objs), settings: map[string]Settings{}}
	for _, o := range objs {
		switch {
		case o.Group == kustomizeGroup && o.Kind == "Kustomization":
			r.add(o, kustomizeController, func(d *deciders) {
				d.path = text(field(o.JSON(), "spec", "path"))
				d.referenced(reference(field(o.JSON(), "spec", "sourceRef")), o.Namespace)
			})
		case o.Group == helmGroup && o.Kind == "HelmRelease":
			r.add(o, helmController, func(d *deciders) { d.release(o) })
		case o.Group == operatorGroup && o.Kind == "FluxInstance":
			r.instance(o)
		}
	}
	return r.applied
}

type reader struct {
	index
	settings map[string]Settings
	applied  []Applied
}

// add adds a Kustomization or HelmRelease.
func (r *reader) add(o *objects.Object, controller string, decide func(*deciders)) {
	spec := field(o.JSON(), "spec")
	suspended, _ := field(spec, "suspend").(bool)
	account := text(field(spec, "serviceAccountName"))
	if suspended || field(spec, "kubeConfig") != nil || rbac.Templated(account) {
		return
	}
	settings := r.settingsOf(controller)
	d := r.newDeciders()
	d.isolated = settings.Isolated
	decide(d)
	r.applied = append(r.applied, Applied{
		Object: o, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Controller: controller,
		Account: objects.Account{Namespace: o.Namespace, Name: cmp.Or(account, settings.DefaultAccount)}, Deciders: d.list,
	})
}

func (r *reader) newDeciders() *deciders {
	return &deciders{index: r.index, generatorsIsolated: r.settingsOf(sourceWatcher).Isolated, seen: map[Decider]bool{}}
}

func (r *reader) settingsOf(controller string) Settings {
	s, known := r.settings[controller]
	if !known {
		s = SettingsOf(r.index.objects, controller)
		r.settings[controller] = s
	}
	return s
}

// instance adds the Kustomization that Flux Operator makes with its source. For tenants it names the account of the controller.
func (r *reader) instance(o *objects.Object) {
	sync := field(o.JSON(), "spec", "sync")
	if sync == nil {
		return
	}
	name := cmp.Or(text(field(sync, "name")), o.Namespace)
	d := r.newDeciders()
	d.exists, d.path = true, text(field(sync, "path"))
	d.artifact(text(field(sync, "kind")), o.Namespace, name, via{})
	r.applied = append(r.applied, Applied{
		Object: o, Kind: "Kustomization", Namespace: o.Namespace, Name: name, Controller: kustomizeController, Deciders: d.list,
	})
}

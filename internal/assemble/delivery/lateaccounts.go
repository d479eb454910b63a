package delivery

import (
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// LateAccount is an account that is created after the pod that runs as it, or never.
type LateAccount struct {
	// Workload is the object with the pod, and Path the field with the name of the account, or the pod.
	Workload *objects.Object
	Path     manifest.Path
	Account  *objects.Object
	// Ordering is After or Never, with the reason.
	Ordering applying.Ordering
}

const (
	helmHook = "helm.sh/hook"
	syncWave = "argocd.argoproj.io/sync-wave"
)

// LateAccounts returns the accounts of the pods of a workload that are created after the workload in one release or sync, or, for an account,
// the workloads that run as it before it exists and have no annotation about the order. A CronJob starts no pod when it is created.
//
// Only the first release counts: later ones find the account.
func (d *Delivery) LateAccounts(u *objects.Unit, o *objects.Object, specs ...objects.PodSpecKind) []LateAccount {
	if o.Group != "" || o.Kind != "ServiceAccount" {
		return d.lateAccountsOf(u, o, specs)
	}
	var late []LateAccount
	for _, workload := range u.Objects {
		if workload.Namespace != o.Namespace || isOrdered(workload) {
			continue
		}
		for _, found := range d.lateAccountsOf(u, workload, specs) {
			if found.Account == o {
				late = append(late, found)
			}
		}
	}
	return late
}

// isOrdered reports whether annotations of an object decide when it is applied.
func isOrdered(o *objects.Object) bool {
	for key := range annotations(o) {
		if key == helmHook || strings.HasPrefix(key, "argocd.argoproj.io/hook") || key == syncWave {
			return true
		}
	}
	return false
}

func (d *Delivery) lateAccountsOf(u *objects.Unit, workload *objects.Object, specs []objects.PodSpecKind) []LateAccount {
	if workload.Kind == "CronJob" {
		return nil
	}
	var late []LateAccount
	for _, pod := range objects.AccountPods(workload, specs...) {
		admission := u.Admit(workload, pod)
		if admission.Static || len(admission.Objects) == 0 || len(admission.Tie) > 0 || admission.Account.Name == "default" {
			continue
		}
		path := pod.Path
		if admission.Field != "" {
			path = path.Join(admission.Field)
		}
		if account, ordering, is := d.lateAccount(u, workload, admission.Objects); is {
			late = append(late, LateAccount{workload, path, account, ordering})
		}
	}
	return late
}

// lateAccount reports whether all manifests of the account are applied after the workload.
func (d *Delivery) lateAccount(u *objects.Unit, workload *objects.Object, accounts []*objects.Object) (account *objects.Object, first applying.Ordering, late bool) {
	for _, candidate := range accounts {
		ordering, found := d.accountOrder(u, workload, candidate)
		if !found {
			return nil, applying.Ordering{}, false
		}
		if account == nil {
			account, first = candidate, ordering
		}
	}
	return account, first, account != nil
}

func (d *Delivery) accountOrder(u *objects.Unit, workload, account *objects.Object) (applying.Ordering, bool) {
	by := d.appliers(u)
	if len(by) == 0 {
		by = unknownTools
		if annotations(workload)[helmHook] != "" {
			by = unknownTools[:1]
		}
	}
	for _, a := range by {
		later, earlier := member(a, account), member(a, workload)
		later.Called, earlier.Called = "the account", "the pod"
		if a.Tool == gitops.FluxHelm {
			var runs bool
			if earlier.Annotations, runs = atInstallation(earlier.Annotations); !runs {
				continue
			}
			later.Annotations, _ = atInstallation(later.Annotations)
		}
		if ordering := d.order(later, earlier); isLate(ordering) {
			return ordering, true
		}
	}
	return applying.Ordering{}, false
}

// atInstallation leaves only the hooks that Helm runs when it installs a release; false if there are none. An upgrade finds the account that
// the installation created.
func atInstallation(of map[string]string) (map[string]string, bool) {
	hooks, isHook := of[helmHook]
	if !isHook {
		return of, true
	}
	var install []string
	for _, hook := range strings.Split(hooks, ",") {
		if hook = strings.TrimSpace(hook); slices.Contains([]string{"pre-install", "post-install"}, hook) {
			install = append(install, hook)
		}
	}
	if len(install) == 0 {
		return of, false
	}
	of = maps.Clone(of)
	of[helmHook] = strings.Join(install, ",")
	return of, true
}

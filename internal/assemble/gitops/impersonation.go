package gitops

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
)

// Impersonation is the account as which a tool applies an application.
type Impersonation struct {
	// Account is the account, with its namespace. It is zero if the project of an Application sets none for its destination, so
	// that Argo CD refuses to sync.
	Account objects.Account
	// Location is the field that names the account: of the Kustomization or HelmRelease, or of the AppProject.
	Location view.Location
}

// Impersonation returns the account as which an application is applied. ok is false if the tool acts as its own account, and if
// the repository does not determine the account.
func (r *Result) Impersonation(a *Application) (i Impersonation, ok bool) {
	if a.Tool == ArgoCD {
		return r.impersonationByProject(a)
	}
	i = Impersonation{objects.Account{Namespace: a.Namespace.Value, Name: a.Account.Value}, a.Account.Location}
	return i, i.isKnown()
}

// isKnown reports whether both parts of the account are known.
func (i Impersonation) isKnown() bool {
	return isName(i.Account.Namespace) && isName(i.Account.Name)
}

// isName reports whether a text can be the name of an account or a namespace. A template cannot.
func isName(text string) bool {
	return text != "" && !filledInLater(text) && !strings.ContainsAny(text, "!*[]{}\\/ ")
}

// impersonationByProject returns the account that the AppProject sets for the destination of an Application.
func (r *Result) impersonationByProject(a *Application) (i Impersonation, ok bool) {
	project, _ := r.project(a)
	if project == nil || r.Impersonates() != Allowed {
		return i, false
	}
	set := r.ProjectAccount(a)
	switch set.Verdict {
	case Denied:
		return set.Impersonation, !r.settings.refusesNone
	case Allowed:
		return set.Impersonation, true
	}
	return i, false
}

// ProjectAccount is what the AppProject of an Application sets for its destination.
type ProjectAccount struct {
	// Verdict is Allowed if the project sets an account, Denied if it sets none, and otherwise Unknown.
	Verdict Verdict
	Impersonation

	// Why is the reason why the account is unknown, without a full stop.
	Why string
}

// ProjectAccount returns the account that the AppProject of an Application sets for its destination, whether Argo CD impersonates it or not.
func (r *Result) ProjectAccount(a *Application) ProjectAccount {
	project, reason := r.project(a)
	switch {
	case reason != "":
		return ProjectAccount{Verdict: Unknown, Why: reason}
	case filledInLater(a.Cluster.Value) || filledInLater(a.Target.Value):
		return ProjectAccount{Verdict: Unknown, Why: "the destination " + hasVariable}
	case project == nil && r.settings.inherits:
		return ProjectAccount{Verdict: Unknown, Why: "a global project can set it"}
	case project == nil:
		return ProjectAccount{Verdict: Denied}
	}
	spec := view.Of(project).Get("spec")
	found, item := accountFor(spec, a)
	at := Impersonation{Location: spec.Get("destinationServiceAccounts").At()}
	switch {
	case found == Allowed:
		i := Impersonation{accountOf(item, a), item.Get("defaultServiceAccount").At()}
		if !i.isKnown() {
			return ProjectAccount{Unknown, i, "the account in the project " + project.Name + " is not a plain name"}
		}
		return ProjectAccount{Allowed, i, ""}
	case found == Unknown:
		return ProjectAccount{Unknown, at, "whether an entry of the project " + project.Name + " is about its destination is not in the repository"}
	case r.settings.inherits:
		return ProjectAccount{Unknown, at, "a global project can set it"}
	}
	return ProjectAccount{Verdict: Denied, Impersonation: at}
}

// Impersonates reports whether syncs act as the accounts that projects set: Allowed if all settings in the repository enable it, Denied if
// none does, and Unknown without settings.
func (r *Result) Impersonates() Verdict {
	switch {
	case len(r.settings.maps) == 0, r.settings.impersonates && !r.settings.impersonatesAlways:
		return Unknown
	case r.settings.impersonates:
		return Allowed
	}
	return Denied
}

// SyncsWithoutAccount reports whether Argo CD acts as its own account if the project sets none for the destination, and does not refuse to
// sync. It matters only if syncs impersonate.
func (r *Result) SyncsWithoutAccount() bool { return r.settings.refusesNone }

// SyncAccounts returns the accounts that projects set for destinations in the cluster of Argo CD, each once. The namespace is "" for an account
// of the name in any namespace.
func (r *Result) SyncAccounts() []objects.Account {
	var all []objects.Account
	for _, project := range r.projects {
		for _, item := range view.Of(project).Get("spec", "destinationServiceAccounts").Items() {
			account := objects.Account{Name: item.Get("defaultServiceAccount").String()}
			if namespace, name, found := strings.Cut(account.Name, ":"); found {
				account = objects.Account{Namespace: namespace, Name: name}
			} else if namespace := item.Get("namespace").String(); isName(namespace) {
				account.Namespace = namespace
			}
			if isName(account.Name) && matchesServer(item.Get("server").String(), ownServer) == Allowed && !slices.Contains(all, account) {
				all = append(all, account)
			}
		}
	}
	return all
}

// accountFor returns the first entry of destinationServiceAccounts for the destination of an Application (Argo CD,
// DeriveServiceAccountToImpersonate). It is unknown if an earlier entry is for a cluster that may be the destination.
func accountFor(spec view.View, a *Application) (found Verdict, item view.View) {
	for _, item := range spec.Get("destinationServiceAccounts").Items() {
		server, namespace := item.Get("server").String(), item.Get("namespace").String()
		if filledInLater(server) || filledInLater(namespace) {
			return Unknown, item
		}
		if !sources.Matcher(namespace)(a.Target.Value) {
			continue
		}
		switch matchesServer(server, a.Cluster.Value) {
		case Allowed:
			return Allowed, item
		case Unknown:
			return Unknown, item
		}
	}
	return Denied, view.View{}
}

// ownServer is the address of the cluster in which Argo CD runs.
const ownServer = "https://kubernetes.default.svc"

// matchesServer compares a pattern of addresses with the cluster of an Application. The address of a cluster that is given by its
// name is in a Secret.
func matchesServer(pattern, cluster string) Verdict {
	if cluster == "in-cluster" {
		cluster = ownServer
	}
	switch {
	case pattern == "*", isAddress(cluster) && sources.Matcher(pattern)(cluster):
		return Allowed
	case isAddress(cluster):
		return Denied
	}
	return Unknown
}

// accountOf returns the account of an entry. Without a namespace it is in that of the destination, and if there is none in that of the
// Application.
func accountOf(item view.View, a *Application) objects.Account {
	name := item.Get("defaultServiceAccount").String()
	if namespace, rest, found := strings.Cut(name, ":"); found {
		return objects.Account{Namespace: namespace, Name: rest}
	}
	if a.Target.Value == "" {
		return objects.Account{Namespace: a.Namespace.Value, Name: name}
	}
	return objects.Account{Namespace: a.Target.Value, Name: name}
}

// OwnCluster reports whether an application is applied to the cluster in which its tool runs.
func (a *Application) OwnCluster() bool {
	switch a.Cluster.Value {
	case "", "in-cluster", ownServer:
		return true
	}
	return false
}

// Destination identifies the other cluster to which an application is applied, among those of the cluster of its tool. isKnown is false if the
// name or address is filled in later.
func (a *Application) Destination() (id string, isKnown bool) {
	if a.Tool != ArgoCD {
		return a.kubeConfig, a.kubeConfig != "" && !filledInLater(a.kubeConfig)
	}
	return a.Cluster.Value, !filledInLater(a.Cluster.Value)
}

// AppliedIn returns the unit whose object the application is; nil for that of every unit with the object.
func (a *Application) AppliedIn() *objects.Unit { return a.unit }

// CommonLabels returns the labels that Flux sets on all objects of an application after it built them.
func (a *Application) CommonLabels() map[string]string {
	var labels map[string]string
	for _, s := range a.Sources {
		for _, e := range s.Kustomize.MetadataLabels {
			if labels == nil {
				labels = map[string]string{}
			}
			labels[e.Key] = e.Value.Value
		}
	}
	return labels
}

// InOtherRepository reports whether a part of an application comes from another repository.
func (a *Application) InOtherRepository() bool {
	for _, s := range a.Sources {
		if s.Repository.Is == sources.OtherRepository && s.Kind != sources.Reference {
			return true
		}
	}
	return len(a.Sources) == 0
}

package gitops

import (
	"fmt"
	"path"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Verdict says whether something is allowed.
type Verdict string

// What the repository can tell. Unknown also stands for what it says nothing about.
const (
	Allowed Verdict = "allowed"
	Denied  Verdict = "denied"
	Unknown Verdict = "unknown"
)

// Permission is whether an application may create an object, and by what one can tell.
type Permission struct {
	Verdict Verdict
	// Why is a sentence without a full stop, and Place what it is about.
	Why   string
	Place Place
}

// Wanted is an object that an application would create: an account, a role or a binding. Its resource is the plural of its
// kind.
type Wanted struct {
	Group, Kind string
	// Namespace is "" for what is cluster-scoped.
	Namespace, Name string
	// Role is what a binding grants, nil for others.
	Role *rbac.RoleRef
	// Rules are those of a role, or of the role that a binding grants. Nil are unknown; those of a binding's role are then
	// looked for where the bindings of the account are.
	Rules []rbacv1.PolicyRule
}

func (w Wanted) String() string {
	if w.Namespace == "" {
		return w.Kind + " " + w.Name
	}
	return w.Kind + " " + w.Namespace + "/" + w.Name
}

// May tells whether an application may create an object: by the lists of its AppProject in Argo CD, by the roles of the
// account that Flux acts as. The unit is where the bindings of that account are looked for; without one they are unknown.
func (r *Result) May(a *Application, u *objects.Unit, w Wanted) Permission {
	if a.Tool == ArgoCD {
		return r.projectAllows(a, u, w)
	}
	if a.Account.Value == "" {
		return Permission{Allowed, "Flux applies it as its own controller, which may do everything unless somebody took that from it", a.Account.Place}
	}
	if later(a.Account.Value) {
		return Permission{Unknown, fmt.Sprintf("the account %s is filled in later", a.Account.Value), a.Account.Place}
	}
	account := objects.Account{Namespace: a.Namespace.Value, Name: a.Account.Value}
	return accountAllows(u, account, w, a.ServerSide.Value, a.Account.Place)
}

// projectAllows asks the AppProject (AppProject.IsGroupKindNamePermitted, IsDestinationPermitted).
func (r *Result) projectAllows(a *Application, u *objects.Unit, w Wanted) Permission {
	project, reason := r.project(a)
	switch {
	case project == nil && reason == "":
		return Permission{Allowed, "the project default allows everything unless somebody changed it", a.Project.Place}
	case project == nil:
		return Permission{Unknown, reason, a.Project.Place}
	}
	spec := viewOf(project).get("spec")
	if denied := listed(spec, w, a.Project.Value); denied != nil {
		return *denied
	}
	if w.Namespace != "" {
		if denied := outsideDestinations(spec, a, w); denied != nil {
			return *denied
		}
	}
	if r.settings.impersonates {
		return impersonated(spec, a, u, w)
	}
	return Permission{Allowed, "the project " + a.Project.Value + " allows it", spec.at()}
}

// project finds the AppProject of an application. Without a reason there is none because nobody needs to write it.
func (r *Result) project(a *Application) (project *objects.Object, reason string) {
	name := a.Project.Value
	if later(name) {
		return nil, "the project " + name + " is filled in later"
	}
	var candidates []*objects.Object
	for _, candidate := range r.projects {
		if candidate.Name == name {
			candidates = append(candidates, candidate)
		}
	}
	nearest := objects.NewFolderIndex(candidates).Nearest(a.Object)
	switch {
	case len(nearest) == 1:
		return nearest[0], ""
	case len(nearest) > 1:
		return nil, "there are several projects " + name
	case name == defaultProject:
		return nil, ""
	}
	return nil, "the project " + name + " is not in the repository"
}

// listed asks the lists of kinds. What is cluster-scoped has to be listed; what is not is allowed unless there is a list
// without it.
func listed(spec view, w Wanted, project string) *Permission {
	white, black := spec.get("clusterResourceWhitelist"), spec.get("clusterResourceBlacklist")
	if w.Namespace != "" {
		white, black = spec.get("namespaceResourceWhitelist"), spec.get("namespaceResourceBlacklist")
	}
	if item, found := lists(black, w); found {
		return &Permission{Denied, fmt.Sprintf("the project %s does not allow a %s: %s lists it", project, w.Kind, black.path[len(black.path)-1]), item}
	}
	if _, found := lists(white, w); found || w.Namespace != "" && !white.there() {
		return nil
	}
	return &Permission{Denied, fmt.Sprintf("the project %s does not allow a %s: %s does not list it", project, w.Kind, white.path[len(white.path)-1]), white.at()}
}

func lists(list view, w Wanted) (Place, bool) {
	for _, item := range list.items() {
		kind, _ := path.Match(item.get("kind").string(), w.Kind) // a broken pattern matches nothing
		group, _ := path.Match(item.get("group").string(), w.Group)
		name := item.get("name").string()
		named, _ := path.Match(name, w.Name)
		if kind && group && (name == "" || named || w.Namespace != "") {
			return item.at(), true
		}
	}
	return Place{}, false
}

// outsideDestinations tells of a project none of whose destinations can be the namespace. Of a cluster an application gives
// the address or the name, and the project the one or the other: where they cannot be compared, it may be meant.
func outsideDestinations(spec view, a *Application, w Wanted) *Permission {
	destinations := spec.get("destinations")
	matched := false
	for _, item := range destinations.items() {
		server, name := item.get("server").string(), item.get("name").string()
		cluster := server != "" && allows(server, a.Cluster.Value) || name != "" && allows(name, a.Cluster.Value) ||
			a.Cluster.Value == "" || isAddress(a.Cluster.Value) && server == "" || !isAddress(a.Cluster.Value) && name == ""
		namespace := item.get("namespace").string()
		if cluster && strings.HasPrefix(namespace, "!") && !allows(namespace, w.Namespace) {
			return &Permission{Denied, fmt.Sprintf("the project %s does not allow the namespace %s", a.Project.Value, w.Namespace), item.at()}
		}
		matched = matched || cluster && allows(namespace, w.Namespace)
	}
	if matched {
		return nil
	}
	return &Permission{Denied, fmt.Sprintf("no destination of the project %s is the namespace %s", a.Project.Value, w.Namespace), destinations.at()}
}

func isAddress(cluster string) bool { return strings.Contains(cluster, "://") }

// allows matches a pattern of a project, in which a ! in front excludes.
func allows(pattern, text string) bool {
	if rest, negated := strings.CutPrefix(pattern, "!"); negated {
		return !matcher(rest)(text)
	}
	return pattern == "*" || matcher(pattern)(text)
}

// impersonated asks the roles of the account that the project has a destination synced as.
func impersonated(spec view, a *Application, u *objects.Unit, w Wanted) Permission {
	for _, item := range spec.get("destinationServiceAccounts").items() {
		server := item.get("server").string()
		if !allows(item.get("namespace").string(), a.Target.Value) || !allows(server, a.Cluster.Value) && isAddress(a.Cluster.Value) {
			continue
		}
		name := item.get("defaultServiceAccount").string()
		account := objects.Account{Namespace: a.Target.Value, Name: name}
		if namespace, rest, found := strings.Cut(name, ":"); found {
			account = objects.Account{Namespace: namespace, Name: rest}
		}
		return accountAllows(u, account, w, a.ServerSide.Value, item.at())
	}
	return Permission{Unknown, fmt.Sprintf("syncs act as an account of the project %s, and none is named for this destination", a.Project.Value), spec.at()}
}

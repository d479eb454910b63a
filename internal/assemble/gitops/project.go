package gitops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Verdict is whether something is allowed.
type Verdict string

// The verdicts. Unknown includes what the repository does not define.
const (
	Allowed Verdict = "allowed"
	Denied  Verdict = "denied"
	Unknown Verdict = "unknown"
)

// Permission is whether an application can create an object, with the reason.
type Permission struct {
	Verdict Verdict
	// Why is a sentence without a full stop, and Location the field that it is about.
	Why      string
	Location view.Location
}

// NewObject is an object that an application would create: an account, a role, or a binding. Its resource is the plural of
// its kind.
type NewObject struct {
	Group, Kind string
	// Namespace is "" for cluster-scoped objects.
	Namespace, Name string
	// Role is the role that a binding grants; nil for others.
	Role *rbac.RoleRef
	// Rules are those of a role, or of the role that a binding grants. Nil means unknown; the role of a binding is then
	// looked up next to the bindings of the account.
	Rules []rbacv1.PolicyRule
}

func (w NewObject) String() string {
	if w.Namespace == "" {
		return w.Kind + " " + w.Name
	}
	return w.Kind + " " + w.Namespace + "/" + w.Name
}

// CanCreate returns whether an application can create an object: according to the settings and the lists of its AppProject in Argo CD, or to
// the roles of the account as which Flux acts. The bindings of that account are looked up in u; without a unit they are
// unknown.
func (r *Result) CanCreate(a *Application, u *objects.Unit, w NewObject) Permission {
	if a.Tool == ArgoCD {
		return r.projectAllows(a, u, w)
	}
	if a.Account.Value == "" {
		return Permission{Allowed, "Flux applies it with its own controller, which can do everything by default", a.Account.Location}
	}
	if filledInLater(a.Account.Value) {
		return Permission{Unknown, fmt.Sprintf("the account %s %s", a.Account.Value, hasVariable), a.Account.Location}
	}
	account := objects.Account{Namespace: a.Namespace.Value, Name: a.Account.Value}
	return accountAllows(u, account, w, a.ServerSide.Value, a.Account.Location)
}

// projectAllows checks the AppProject (AppProject.IsGroupKindNamePermitted, IsDestinationPermitted).
func (r *Result) projectAllows(a *Application, u *objects.Unit, w NewObject) Permission {
	if why, is := r.excludes(a, w.Group, w.Kind); is {
		return Permission{Denied, why.Message, why.Location}
	}
	project, reason := r.project(a)
	switch {
	case project == nil && reason == "":
		return Permission{Allowed, "the project default allows everything unless it was changed", a.Project.Location}
	case project == nil:
		return Permission{Unknown, reason, a.Project.Location}
	}
	if denied := r.refusedByProject(project, a, w); denied != nil {
		return *denied
	}
	spec := view.Of(project).Get("spec")
	if r.settings.impersonates {
		return impersonationAllows(spec, a, u, w)
	}
	return Permission{Allowed, "the project " + a.Project.Value + " allows it", spec.At()}
}

// refusedByProject checks the lists and destinations of a project; nil if they allow the object.
func (r *Result) refusedByProject(project *objects.Object, a *Application, w NewObject) *Permission {
	spec := view.Of(project).Get("spec")
	if denied := refusedByLists(spec, w, a.Project.Value); denied != nil {
		if r.settings.inherits {
			return &Permission{Unknown, "a global project can allow what the project " + a.Project.Value + " does not", denied.Location}
		}
		return denied
	}
	if w.Namespace == "" {
		return nil
	}
	return outsideDestinations(spec, a, w)
}

// project returns the AppProject of an application. If both results are empty it is the default project, which needs no
// object.
func (r *Result) project(a *Application) (project *objects.Object, reason string) {
	name := a.Project.Value
	if filledInLater(name) {
		return nil, "the project " + name + " " + hasVariable
	}
	tied := false
	if named := r.projectsByName.get(r.indexProjects)[name]; named != nil {
		project, tied = named.Find(a.Object, r.UnitOf(a))
	}
	switch {
	case project != nil:
		return project, ""
	case tied:
		return nil, "several projects have the name " + name
	case name == defaultProject:
		return nil, ""
	}
	return nil, "the project " + name + " is not in the repository"
}

func (r *Result) indexProjects() map[string]*Namesakes {
	named := map[string][]*objects.Object{}
	for _, project := range r.projects {
		named[project.Name] = append(named[project.Name], project)
	}
	indexes := make(map[string]*Namesakes, len(named))
	for name, projects := range named {
		indexes[name] = r.NewNamesakes(projects)
	}
	return indexes
}

// refusedByLists checks the lists of kinds. Cluster-scoped kinds must be listed; namespaced ones are allowed unless there
// is a list without them.
func refusedByLists(spec view.View, w NewObject, project string) *Permission {
	white, black := spec.Get("clusterResourceWhitelist"), spec.Get("clusterResourceBlacklist")
	if w.Namespace != "" {
		white, black = spec.Get("namespaceResourceWhitelist"), spec.Get("namespaceResourceBlacklist")
	}
	if item, found := lists(black, w); found {
		return &Permission{Denied, fmt.Sprintf("the project %s does not allow kind %s: %s lists it", project, w.Kind, black.Path[len(black.Path)-1]), item}
	}
	if _, found := lists(white, w); found || w.Namespace != "" && !white.There() {
		return nil
	}
	return &Permission{Denied, fmt.Sprintf("the project %s does not allow kind %s: %s does not list it", project, w.Kind, white.Path[len(white.Path)-1]), white.At()}
}

func lists(list view.View, w NewObject) (view.Location, bool) {
	for _, item := range list.Items() {
		kind, _ := path.Match(item.Get("kind").String(), w.Kind) // an invalid pattern matches nothing
		group, _ := path.Match(item.Get("group").String(), w.Group)
		name := item.Get("name").String()
		named, _ := path.Match(name, w.Name)
		if kind && group && (name == "" || named || w.Namespace != "") {
			return item.At(), true
		}
	}
	return view.Location{}, false
}

// outsideDestinations refuses a namespace that no destination of the project includes. Applications and projects reference
// a cluster by address or by name; if the two cannot be compared, the destination counts.
func outsideDestinations(spec view.View, a *Application, w NewObject) *Permission {
	destinations := spec.Get("destinations")
	matched := false
	for _, item := range destinations.Items() {
		server, name := item.Get("server").String(), item.Get("name").String()
		cluster := server != "" && allows(server, a.Cluster.Value) || name != "" && allows(name, a.Cluster.Value) ||
			a.Cluster.Value == "" || isAddress(a.Cluster.Value) && server == "" || !isAddress(a.Cluster.Value) && name == ""
		namespace := item.Get("namespace").String()
		if cluster && strings.HasPrefix(namespace, "!") && !allows(namespace, w.Namespace) {
			return &Permission{Denied, fmt.Sprintf("the project %s does not allow the namespace %s", a.Project.Value, w.Namespace), item.At()}
		}
		matched = matched || cluster && allows(namespace, w.Namespace)
	}
	if matched {
		return nil
	}
	return &Permission{Denied, fmt.Sprintf("no destination of the project %s includes the namespace %s", a.Project.Value, w.Namespace), destinations.At()}
}

func isAddress(cluster string) bool { return strings.Contains(cluster, "://") }

// allows matches a pattern of a project, in which a leading ! excludes.
func allows(pattern, text string) bool {
	if rest, negated := strings.CutPrefix(pattern, "!"); negated {
		return !sources.Matcher(rest)(text)
	}
	return pattern == "*" || sources.Matcher(pattern)(text)
}

// impersonationAllows checks the roles of the account that the project sets for a destination.
func impersonationAllows(spec view.View, a *Application, u *objects.Unit, w NewObject) Permission {
	for _, item := range spec.Get("destinationServiceAccounts").Items() {
		server := item.Get("server").String()
		if !allows(item.Get("namespace").String(), a.Target.Value) || !allows(server, a.Cluster.Value) && isAddress(a.Cluster.Value) {
			continue
		}
		name := item.Get("defaultServiceAccount").String()
		account := objects.Account{Namespace: a.Target.Value, Name: name}
		if namespace, rest, found := strings.Cut(name, ":"); found {
			account = objects.Account{Namespace: namespace, Name: rest}
		}
		return accountAllows(u, account, w, a.ServerSide.Value, item.At())
	}
	return Permission{Unknown, fmt.Sprintf("syncs act as an account of the project %s, which sets none for this destination", a.Project.Value), spec.At()}
}

// RefusedBy returns the AppProject that does not allow the destination or a source of an application, so that Argo CD applies nothing of it; nil if there is
// none, or if that is not known.
//
// Source: argoproj/argo-cd, util/argo (ValidatePermissions).
func (r *Result) RefusedBy(a *Application) *objects.Object {
	if a.Tool != ArgoCD {
		return nil
	}
	project, _ := r.project(a)
	if project == nil || r.settings.inherits {
		return nil
	}
	spec := view.Of(project).Get("spec")
	if a.Target.Value != "" && outsideDestinations(spec, a, NewObject{Namespace: a.Target.Value}) != nil {
		return project
	}
	repositories := spec.Get("sourceRepos").Texts()
	if slices.ContainsFunc(a.Sources, func(s sources.Source) bool { return !allowsRepository(repositories, s.Repository.URL.Value) }) {
		return project
	}
	return nil
}

// allowsRepository reports whether the patterns of a project include an address, and none with a leading ! is about it. An address that is not known is
// allowed.
func allowsRepository(patterns []view.Field[string], address string) bool {
	included := address == ""
	for _, pattern := range patterns {
		switch matches := allows(pattern.Value, address); {
		case strings.HasPrefix(pattern.Value, "!") && !matches:
			return false
		case !strings.HasPrefix(pattern.Value, "!"):
			included = included || matches
		}
	}
	return included
}

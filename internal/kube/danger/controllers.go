package danger

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Resources are resources of one API group.
type Resources struct {
	Group     string
	Resources []string
}

// AccountNamer is a kind without the specification of a pod, whose pods run as the account that the object names.
type AccountNamer struct {
	Group, Kind string
	// Path leads to the account of all pods that set no other one. Without it, they run as `default`.
	Path manifest.Path
}

// accountNamers are the kinds of Argo Workflows and Tekton. PipelineRun has one path for each version of its API.
var accountNamers = []AccountNamer{
	{"argoproj.io", "Workflow", manifest.Path{"spec", "serviceAccountName"}},
	{"argoproj.io", "CronWorkflow", manifest.Path{"spec", "workflowSpec", "serviceAccountName"}},
	{"tekton.dev", "TaskRun", manifest.Path{"spec", "serviceAccountName"}},
	{"tekton.dev", "PipelineRun", manifest.Path{"spec", "taskRunTemplate", "serviceAccountName"}},
	{"tekton.dev", "PipelineRun", manifest.Path{"spec", "serviceAccountName"}},
}

// AccountNamers returns the kinds whose pods run as the account that the object names.
//
// Sources: https://argo-workflows.readthedocs.io/en/latest/service-accounts/, https://tekton.dev/docs/pipelines/taskruns/.
func AccountNamers() []AccountNamer { return slices.Clone(accountNamers) }

// PodMakers returns the custom resources from which a controller makes pods, by their groups: those of the workloads that salint knows,
// and of Argo Workflows and Tekton, whose pods run as an account that the object names.
//
// Sources: https://argo-workflows.readthedocs.io/en/latest/service-accounts/, https://tekton.dev/docs/pipelines/taskruns/.
func PodMakers() []Resources {
	groups := map[string][]string{}
	for _, n := range accountNamers {
		if name := plural(n.Kind); !slices.Contains(groups[n.Group], name) {
			groups[n.Group] = append(groups[n.Group], name)
		}
	}
	for _, w := range objects.Workloads() {
		// Kubernetes' own are in CreatesPods; runtimes of Kubeflow are templates.
		if CreatesPods.about(w.Group) || w.Group == "extensions" || w.Group == "trainer.kubeflow.org" {
			continue
		}
		if name := plural(w.Kind); !slices.Contains(groups[w.Group], name) {
			groups[w.Group] = append(groups[w.Group], name)
		}
	}
	var all []Resources
	for group, names := range groups {
		slices.Sort(names)
		all = append(all, Resources{group, names})
	}
	slices.SortFunc(all, func(a, b Resources) int { return cmp.Compare(a.Group, b.Group) })
	return all
}

// plural returns the resource of a kind.
func plural(kind string) string {
	name := strings.ToLower(kind)
	if strings.HasSuffix(name, "ch") || strings.HasSuffix(name, "sh") || strings.HasSuffix(name, "s") {
		return name + "es"
	}
	return name + "s"
}

// Installer is a tool whose objects make its controller apply manifests of the writer's choice.
type Installer struct {
	// Tool is the name of the tool, and Objects are those that it applies, for sentences.
	Tool, Objects string
	Resources
	// Accounts are the names of the accounts of the controllers, which are cluster-admin as the tool ships them. A name that begins with
	// a hyphen is the end of a name.
	Accounts []string
	// Namespaces are the usual ones if the tool ignores objects elsewhere; none if it reads all namespaces.
	Namespaces []string
}

// Installers returns the tools, in the order of the documentation.
//
// Sources: https://fluxcd.io/flux/security/#controller-permissions, https://fluxoperator.dev/docs/crd/fluxinstance/,
// https://argo-cd.readthedocs.io/en/stable/operator-manual/security/#cluster-rbac,
// https://olm.operatorframework.io/docs/advanced-tasks/operator-scoping-with-operatorgroups/.
func Installers() []Installer {
	argo, controllers := []string{"argocd", "openshift-gitops"}, []string{"argocd-application-controller", "-argocd-application-controller"}
	return []Installer{
		{"Flux", "a Kustomization", Resources{"kustomize.toolkit.fluxcd.io", []string{"kustomizations"}}, []string{"kustomize-controller"}, nil},
		{"Flux", "a HelmRelease", Resources{"helm.toolkit.fluxcd.io", []string{"helmreleases"}}, []string{"helm-controller"}, nil},
		{"Flux Operator", "a FluxInstance or ResourceSet", Resources{"fluxcd.controlplane.io", []string{"fluxinstances", "resourcesets"}}, []string{"flux-operator"}, nil},
		{"Argo CD", "an Application", Resources{"argoproj.io", []string{"applications", "applicationsets"}}, controllers, argo},
		{"Argo CD", "an AppProject", Resources{"argoproj.io", []string{"appprojects"}}, controllers, argo},
		{"OLM v0", "an operator", Resources{"operators.coreos.com", []string{"clusterserviceversions", "subscriptions", "operatorgroups"}},
			[]string{"olm-operator-serviceaccount"}, nil},
	}
}

// Source is a kind of objects from which Flux takes what it applies.
type Source struct {
	Resources
	// Spec and Status say what of an object decides the contents: the object itself, or the subresource of its status.
	Spec, Status bool
}

// Sources returns the kinds. Their writers decide something only if a controller uses the object.
//
// Sources: kustomize-controller and helm-controller (getSource), source-watcher (reconcileExternalArtifact).
func Sources() []Source {
	const group = "source.toolkit.fluxcd.io"
	return []Source{
		{Resources{group, []string{"gitrepositories"}}, true, true},
		{Resources{group, []string{"ocirepositories"}}, true, true},
		{Resources{group, []string{"buckets"}}, true, true},
		{Resources{group, []string{"helmrepositories"}}, true, false},
		{Resources{group, []string{"helmcharts"}}, true, true},
		{Resources{group, []string{"externalartifacts"}}, false, true},
		{Resources{"source.extensions.fluxcd.io", []string{"artifactgenerators"}}, true, false},
	}
}

// ofSources are the powers over sources, one for each verb that has a separate effect.
func ofSources() []*Power {
	var all []*Power
	for _, s := range Sources() {
		resource := s.Resources.Resources[0]
		if s.Spec {
			all = append(all, &Power{Name: "create " + resource, Verbs: []string{"create"}, Group: s.Group, Resources: []string{resource}, Reach: Steps},
				&Power{Name: "change " + resource, Verbs: updating, Group: s.Group, Resources: []string{resource}, Reach: Steps})
		}
		if s.Status {
			all = append(all, &Power{Name: "change " + resource + "/status", Verbs: updating, Group: s.Group, Resources: []string{resource + "/status"}, Reach: Steps})
		}
	}
	return all
}

// ofControllers are the dangers of custom resources.
func ofControllers() []*Danger {
	var all []*Danger
	for _, r := range PodMakers() {
		all = append(all, &Danger{Text: "creates custom resources whose controllers make pods, which can use every account of their namespace", Rank: 20, Class: Pods,
			Source: "see PodMakers", custom: true, powers: []*Power{
				{Name: "write resources of " + r.Group, Verbs: writing, Group: r.Group, Resources: r.Resources, Explicit: true, Reach: CreatesCustom}}})
	}
	for _, i := range Installers() {
		all = append(all, &Danger{Text: "writes objects from which " + i.Tool + " installs anything, by default as cluster-admin", Rank: 33, Class: Extensions,
			Source: "see Installers", custom: true, powers: []*Power{
				{Name: i.PowerName(), Verbs: writing, Group: i.Group, Resources: i.Resources.Resources, Explicit: true, Reach: Installs}}})
	}
	return all
}

// PowerName is the name of the power to write the tool's objects.
func (i Installer) PowerName() string { return "write " + i.Objects + " of " + i.Tool }

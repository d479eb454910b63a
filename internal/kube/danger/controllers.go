package danger

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// Resources are resources of one API group.
type Resources struct {
	Group     string
	Resources []string
}

// PodMakers returns the custom resources from which a controller makes pods, or acts, as an account of their namespace: those of the
// workloads that salint knows, and those of AccountNamers. They are sorted by group, and the cluster-scoped ones are left out.
func PodMakers() []Resources {
	groups := map[string][]string{}
	add := func(group, kind string) {
		if name := plural(kind); !slices.Contains(groups[group], name) {
			groups[group] = append(groups[group], name)
		}
	}
	for _, n := range accountNamers {
		// OLM v0 and Kluctl are among the controllers.
		if !CreatesPods.about(n.Group) && n.Group != "operators.coreos.com" && n.Group != "gitops.kluctl.io" && !NamesElsewhere(n.Kind) {
			add(n.Group, n.Kind)
		}
	}
	for _, w := range objects.Workloads() {
		// Kubernetes' own are in CreatesPods; runtimes of Kubeflow are templates.
		if !CreatesPods.about(w.Group) && w.Group != "extensions" && w.Group != "trainer.kubeflow.org" {
			add(w.Group, w.Kind)
		}
	}
	add("pipelinesascode.tekton.dev", "Repository") // runs what its Git repository has, as any account that this names
	var all []Resources
	for group, names := range groups {
		slices.Sort(names)
		all = append(all, Resources{group, names})
	}
	slices.SortFunc(all, func(a, b Resources) int { return cmp.Compare(a.Group, b.Group) })
	return all
}

// KnowsGroup reports whether an API group is that of a tool whose controllers act as others, run pods, or send tokens, for objects of the tables.
func KnowsGroup(group string) bool {
	return slices.ContainsFunc(dangers, func(d *Danger) bool { return d.custom && d.about(group) })
}

// plural returns the resource of a kind.
func plural(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case slices.Contains([]string{"eventbus", "vlogs"}, name): // as their definitions name them
		return name
	case strings.HasSuffix(name, "ch") || strings.HasSuffix(name, "sh") || strings.HasSuffix(name, "s") || strings.HasSuffix(name, "x"):
		return name + "es"
	case strings.HasSuffix(name, "ory"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
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

// fixed are resources whose specification cannot be changed once they run, by their group: only who creates one chooses its account.
//
// Sources: tektoncd/pipeline, pkg/apis/pipeline/v1 (ValidateUpdate); kubevirt/kubevirt, pkg/virt-api/webhooks/validating-webhook (VMIUpdateAdmitter).
var fixed = map[string][]string{"tekton.dev": {"pipelineruns", "taskruns"}, "kubevirt.io": {"virtualmachineinstances"}}

// writers are the powers to write what runs as an account.
func (r Resources) writers() []*Power {
	isFixed := func(name string) bool { return slices.Contains(fixed[r.Group], name) }
	changeable := slices.DeleteFunc(slices.Clone(r.Resources), isFixed)
	created := slices.DeleteFunc(slices.Clone(r.Resources), func(name string) bool { return !isFixed(name) })
	var all []*Power
	if len(created) > 0 {
		all = append(all, &Power{Name: "create runs of " + r.Group, Verbs: []string{"create"}, Group: r.Group, Resources: created, Explicit: true, Reach: CreatesCustom})
	}
	if len(changeable) > 0 {
		all = append(all, &Power{Name: "write resources of " + r.Group, Verbs: writing, Group: r.Group, Resources: changeable, Explicit: true, Reach: CreatesCustom})
	}
	return all
}

// ofControllers are the dangers of custom resources.
func ofControllers() []*Danger {
	var all []*Danger
	for _, r := range PodMakers() {
		all = append(all, &Danger{Text: "creates custom resources whose controllers run pods, or act, as any account of their namespace", Rank: 20, Class: Pods,
			Source: "see AccountNamers", custom: true, powers: r.writers()})
	}
	for _, c := range controllers {
		d := effects[c.Effect]
		d.Text, d.Source, d.custom = c.text(), c.Source, true
		d.powers = []*Power{{Name: c.PowerName(), Verbs: writing, Group: c.Group, Resources: c.Resources.Resources, ClusterScoped: c.ClusterScoped, Explicit: true, Reach: Controls}}
		all = append(all, &d)
	}
	return all
}

// effects are the places of the effects in the order of danger.
var effects = map[Effect]Danger{
	Applies: {Rank: 33, Class: Extensions},
	Grants:  {Rank: 16, Class: Escalation},
	Mutates: {Rank: 17, Class: Escalation},
	Joins:   {Rank: 16, Class: Escalation},
	Acts:    {Rank: 16, Class: Escalation},
	Tokens:  {Rank: 13, Class: Secrets},
}

// text says what the writer of an object can do.
func (c Controller) text() string {
	switch c.Effect {
	case Grants:
		return "writes objects by which " + c.Tool + " grants any role"
	case Mutates:
		return "writes mutations of " + c.Tool + ": changes what others write"
	case Joins:
		return "writes groups of " + c.Tool + ": can add anyone to any group"
	case Acts:
		return "writes identities of " + c.Tool + ": can act as others"
	case Tokens:
		return "writes objects with which " + c.Tool + " takes tokens of accounts"
	}
	if c.Elsewhere {
		return "writes objects from which " + c.Tool + " installs anything on other clusters, by default as cluster-admin"
	}
	return "writes objects from which " + c.Tool + " installs anything, by default as cluster-admin"
}

// PowerName is the name of the power to write the objects.
func (c Controller) PowerName() string { return "write " + c.Objects + " of " + c.Tool }

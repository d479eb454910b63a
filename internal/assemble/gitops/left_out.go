package gitops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/restmap"
)

// LeavesOut returns why an application does not apply an object that is part of what its tool builds, as far as that is known. What is live of such an
// object stays as it was.
func (r *Result) LeavesOut(a *Application, o *objects.Object) (why Reason, is bool) {
	switch a.Tool {
	case ArgoCD:
		return r.excludes(a, o.Group, o.Kind)
	case FluxKustomize:
		return notReconciled(o)
	}
	return Reason{}, false
}

// Withholds returns why an application does not apply an object: it leaves the object out, or its project refuses it. The accounts as which Argo CD can
// apply do not count.
func (r *Result) Withholds(a *Application, o *objects.Object) (why Reason, is bool) {
	if why, is := r.LeavesOut(a, o); is || a.Tool != ArgoCD {
		return why, is
	}
	object := NewObject{Group: o.Group, Kind: o.Kind, Namespace: cmp.Or(o.Namespace, a.DefaultNamespace()), Name: o.Name}
	kind, known := r.kinds.get(restmap.New).Kind(o.Group, o.Kind)
	switch {
	case known && !kind.Namespaced:
		object.Namespace = ""
	case !known && o.Namespace == "", object.Namespace == "":
		return Reason{}, false // the scope, or the namespace, is not known
	}
	project, _ := r.project(a)
	if project == nil {
		return Reason{}, false
	}
	if denied := r.refusedByProject(project, a, object); denied != nil && denied.Verdict == Denied {
		return Reason{Location: denied.Location, Message: "Argo CD refuses to apply it: " + denied.Why}, true
	}
	return Reason{}, false
}

// skipMarks are the labels or annotations with which kustomize-controller does not apply an object, with their values (fluxcd/pkg/ssa, AnyInMetadata).
var skipMarks = map[string]string{kustomizeGroup + "/reconcile": "disabled", kustomizeGroup + "/ssa": "ignore"}

func notReconciled(o *objects.Object) (why Reason, is bool) {
	for _, in := range []string{"annotations", "labels"} {
		for _, entry := range view.Of(o).Get("metadata", in).Entries() {
			if value, there := skipMarks[entry.Key]; there && strings.EqualFold(entry.Value.Value, value) {
				return Reason{Location: entry.Value.Location, Message: fmt.Sprintf("Flux does not apply %s %s because of %s: %s", o.Kind, o.Name, entry.Key, entry.Value.Value)}, true
			}
		}
	}
	return Reason{}, false
}

// notAppliedByParent returns why the applications that apply an object leave it out.
func (r *Result) notAppliedByParent(o *objects.Object) (why Reason, is bool) {
	if r.appliedByFlux(o) {
		return notReconciled(o)
	}
	for _, unit := range r.units[o] {
		for _, by := range unit.Appliers {
			if by.Object.Group != argoGroup {
				return Reason{}, false
			}
			if why, is = r.excludes(parentOf(by.Object), o.Group, o.Kind); !is {
				return Reason{}, false
			}
		}
	}
	return why, is
}

// parentOf returns of an application of Argo CD what decides which kinds it applies: where it is, and its destination.
func parentOf(o *objects.Object) *Application {
	v := view.Of(o)
	spec := v.Get("spec")
	if isKind(o, argoGroup, kindApplicationSet) {
		spec = spec.Get("template", "spec")
	}
	return &Application{Tool: ArgoCD, Object: o, Name: v.Get("metadata", "name").Text(), Namespace: v.Get("metadata", "namespace").Text(), Cluster: destination(spec)}
}

// kindFilter is a setting of Argo CD with kinds that it applies, or does not.
type kindFilter struct {
	at    view.Location
	lists []kindList
}

// kindList is an item of a kindFilter. An empty list stands for everything.
type kindList struct{ APIGroups, Kinds, Clusters []string }

// coreExclusions are the kinds that Argo CD never applies (settings.coreExcludedResources).
var coreExclusions = []kindList{
	{APIGroups: []string{"events.k8s.io", "metrics.k8s.io"}},
	{APIGroups: []string{""}, Kinds: []string{"Event"}},
	{APIGroups: []string{"coordination.k8s.io"}, Kinds: []string{"Lease"}},
}

// exclusions are the filters in a ConfigMap argocd-cm, or in an object ArgoCD.
type exclusions struct{ excluded, included kindFilter }

// excludes reports whether the Argo CD of an application does not apply objects of a kind (settings.IsExcludedResource). Without its settings in the
// repository, only the kinds count that it never applies.
func (r *Result) excludes(a *Application, group, kind string) (why Reason, is bool) {
	cluster := a.Cluster.Value
	if cluster == "" || cluster == "in-cluster" {
		cluster = "https://kubernetes.default.svc"
	}
	if (kindFilter{lists: coreExclusions}).matches(group, kind, cluster) {
		return Reason{Location: a.Name.Location, Message: "Argo CD applies no objects of kind " + kind}, true
	}
	for _, candidates := range [][]*objects.Object{r.settings.maps, r.settings.instances} {
		own, _ := r.settingsOf(a, candidates)
		if own == nil {
			continue
		}
		found := r.exclusions.get(r.readExclusions)[own]
		switch {
		case found.excluded.matches(group, kind, cluster):
			return Reason{Location: found.excluded.at, Message: "resource.exclusions of Argo CD has the kind " + kind}, true
		case !found.included.matches(group, kind, cluster) && found.included.concerns(cluster):
			return Reason{Location: found.included.at, Message: "resource.inclusions of Argo CD does not have the kind " + kind}, true
		}
	}
	return Reason{}, false
}

func (r *Result) readExclusions() map[*objects.Object]exclusions {
	all := map[*objects.Object]exclusions{}
	for _, o := range slices.Concat(r.settings.maps, r.settings.instances) {
		all[o] = exclusions{filterIn(o, "resource.exclusions", "resourceExclusions"), filterIn(o, "resource.inclusions", "resourceInclusions")}
	}
	return all
}

// filterIn returns a setting of a ConfigMap argocd-cm, or the same in an object ArgoCD.
func filterIn(o *objects.Object, key, field string) kindFilter {
	text := view.Of(o).Get("data", key)
	if o.Kind == kindArgoCD {
		if text = view.Of(o).Get("spec", "extraConfig", key); !text.There() {
			text = view.Of(o).Get("spec", field)
		}
	}
	found := kindFilter{at: text.At()}
	if len(text.String()) <= maxData && yaml.Unmarshal([]byte(text.String()), &found.lists) != nil {
		found.lists = nil
	}
	return found
}

func (f kindFilter) matches(group, kind, cluster string) bool {
	return slices.ContainsFunc(f.lists, func(l kindList) bool {
		return anyMatches(l.APIGroups, group) && (len(l.Kinds) == 0 || slices.Contains(l.Kinds, "*") || slices.Contains(l.Kinds, kind)) && anyMatches(l.Clusters, cluster)
	})
}

// concerns reports whether the filter has items for a cluster.
func (f kindFilter) concerns(cluster string) bool {
	return slices.ContainsFunc(f.lists, func(l kindList) bool { return anyMatches(l.Clusters, cluster) })
}

func anyMatches(patterns []string, text string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return sources.Matcher(pattern)(text) })
}

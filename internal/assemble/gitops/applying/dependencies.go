package applying

import (
	"sync"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/kube/objects"
)

// dependencyName is a Kustomization or HelmRelease as dependsOn references it.
type dependencyName struct {
	tool            gitops.Tool
	namespace, name string
}

// fluxIndex finds the applications of Flux that others depend on.
type fluxIndex struct {
	result   *gitops.Result
	named    map[dependencyName][]*gitops.Application // without their namespaces
	byObject map[*objects.Object][]*gitops.Application

	mu   sync.Mutex
	near map[dependencyName]*gitops.Namesakes
}

func newFluxIndex(r *gitops.Result) *fluxIndex {
	index := &fluxIndex{
		named: map[dependencyName][]*gitops.Application{}, byObject: map[*objects.Object][]*gitops.Application{},
		result: r, near: map[dependencyName]*gitops.Namesakes{},
	}
	for _, a := range r.Applications {
		if a.Tool != gitops.ArgoCD {
			key := dependencyName{tool: a.Tool, name: a.Name.Value}
			index.named[key] = append(index.named[key], a)
			index.byObject[a.Object] = append(index.byObject[a.Object], a)
		}
	}
	return index
}

// Find returns the application that another one depends on. Clusters use the same names, so that of the same unit or the nearest one of the name
// is returned, or nil if several are equally near.
func (i *fluxIndex) find(from *gitops.Application, needs gitops.Dependency) *gitops.Application {
	key := dependencyName{from.Tool, needs.Namespace.Value, needs.Name.Value}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.near[key] == nil {
		var objs []*objects.Object
		for _, a := range i.named[dependencyName{tool: from.Tool, name: needs.Name.Value}] {
			if objects.SameNamespace(a.Namespace.Value, needs.Namespace.Value) {
				objs = append(objs, a.Object)
			}
		}
		i.near[key] = i.result.NewNamesakes(objs)
	}
	unit := i.result.UnitOf(from)
	found, _ := i.near[key].Find(from.Object, unit)
	for _, a := range i.byObject[found] {
		if a.AppliedIn() == nil || a.AppliedIn() == unit {
			return a
		}
	}
	return nil
}

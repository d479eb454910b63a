package gitops

import (
	"sync"

	"github.com/salint/salint/internal/kube/objects"
)

// dependencyName is a Kustomization or HelmRelease as dependsOn references it.
type dependencyName struct {
	tool            Tool
	namespace, name string
}

// fluxIndex finds the applications of Flux that others depend on.
type fluxIndex struct {
	named    map[dependencyName][]*Application // without their namespaces
	byObject map[*objects.Object]*Application

	mu   sync.Mutex
	near map[dependencyName]*objects.FolderIndex
}

func (r *Result) fluxIndex() *fluxIndex {
	index := &fluxIndex{
		named: map[dependencyName][]*Application{}, byObject: map[*objects.Object]*Application{},
		near: map[dependencyName]*objects.FolderIndex{},
	}
	for _, a := range r.Applications {
		if a.Tool != ArgoCD {
			key := dependencyName{tool: a.Tool, name: a.Name.Value}
			index.named[key] = append(index.named[key], a)
			index.byObject[a.Object] = a
		}
	}
	return index
}

// find returns the application that another one depends on. Clusters use the same names, so the nearest one of the name is
// returned, or nil if several are equally near.
func (i *fluxIndex) find(from *Application, needs Dependency) *Application {
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
		i.near[key] = objects.NewFolderIndex(objs)
	}
	if nearest := i.near[key].Nearest(from.Object); len(nearest) == 1 {
		return i.byObject[nearest[0]]
	}
	return nil
}

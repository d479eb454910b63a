package gitops

import (
	"sync"

	"github.com/salint/salint/internal/kube/objects"
)

// dependable is a Kustomization or HelmRelease, as one that depends on it names it.
type dependable struct {
	tool            Tool
	namespace, name string
}

// fluxIndex finds what applications of Flux depend on.
type fluxIndex struct {
	named    map[dependable][]*Application // without their namespaces
	byObject map[*objects.Object]*Application

	mu   sync.Mutex
	near map[dependable]*objects.FolderIndex
}

func (r *Result) fluxIndex() *fluxIndex {
	index := &fluxIndex{
		named: map[dependable][]*Application{}, byObject: map[*objects.Object]*Application{},
		near: map[dependable]*objects.FolderIndex{},
	}
	for _, a := range r.Applications {
		if a.Tool != ArgoCD {
			key := dependable{tool: a.Tool, name: a.Name.Value}
			index.named[key] = append(index.named[key], a)
			index.byObject[a.Object] = a
		}
	}
	return index
}

// find gives what an application depends on. Clusters use the same names, so that the nearest of the name is meant; where
// several are equally near, nothing is known.
func (i *fluxIndex) find(from *Application, needs Dependency) *Application {
	key := dependable{from.Tool, needs.Namespace.Value, needs.Name.Value}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.near[key] == nil {
		var objs []*objects.Object
		for _, a := range i.named[dependable{tool: from.Tool, name: needs.Name.Value}] {
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

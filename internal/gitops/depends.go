package gitops

import (
	"sync"

	"github.com/salint/salint/internal/inventory"
)

// dependable is a Kustomization or HelmRelease, as one that depends on it names it.
type dependable struct {
	tool            Tool
	namespace, name string
}

// fluxIndex finds what applications of Flux depend on.
type fluxIndex struct {
	named    map[dependable][]*Application // without their namespaces
	byObject map[*inventory.Object]*Application

	mu   sync.Mutex
	near map[dependable]*inventory.Neighbours
}

func (r *Result) fluxIndex() *fluxIndex {
	index := &fluxIndex{
		named: map[dependable][]*Application{}, byObject: map[*inventory.Object]*Application{},
		near: map[dependable]*inventory.Neighbours{},
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
		var objects []*inventory.Object
		for _, a := range i.named[dependable{tool: from.Tool, name: needs.Name.Value}] {
			if inventory.SameNamespace(a.Namespace.Value, needs.Namespace.Value) {
				objects = append(objects, a.Object)
			}
		}
		i.near[key] = inventory.NewNeighbours(objects)
	}
	if nearest := i.near[key].Nearest(from.Object); len(nearest) == 1 {
		return i.byObject[nearest[0]]
	}
	return nil
}

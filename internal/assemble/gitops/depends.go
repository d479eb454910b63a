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
	result   *Result
	named    map[dependencyName][]*Application // without their namespaces
	byObject map[*objects.Object][]*Application

	mu   sync.Mutex
	near map[dependencyName]*namesakes
}

func (r *Result) fluxIndex() *fluxIndex {
	index := &fluxIndex{
		named: map[dependencyName][]*Application{}, byObject: map[*objects.Object][]*Application{},
		result: r, near: map[dependencyName]*namesakes{},
	}
	for _, a := range r.Applications {
		if a.Tool != ArgoCD {
			key := dependencyName{tool: a.Tool, name: a.Name.Value}
			index.named[key] = append(index.named[key], a)
			index.byObject[a.Object] = append(index.byObject[a.Object], a)
		}
	}
	return index
}

// find returns the application that another one depends on. Clusters use the same names, so that of the same unit or the nearest one of the name
// is returned, or nil if several are equally near.
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
		i.near[key] = i.result.newNamesakes(objs)
	}
	unit := i.result.unitOf(from)
	found, _ := i.near[key].find(from.Object, unit)
	for _, a := range i.byObject[found] {
		if a.unit == nil || a.unit == unit {
			return a
		}
	}
	return nil
}

// unitOf returns the only unit that applies an application; nil if there are several, or none.
func (r *Result) unitOf(a *Application) *objects.Unit {
	if units := r.units[a.Object]; a.unit == nil && len(units) == 1 {
		return units[0]
	}
	return a.unit
}

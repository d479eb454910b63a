package delivery

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Effect is what an option may do to an object.
type Effect string

// The effects, the worst first.
const (
	// Uninstall is the removal of everything that was applied together, when an upgrade fails.
	Uninstall Effect = "uninstall"
	// Force is delete-and-create, when the API server refuses a change.
	Force Effect = "force"
	// Replace is writing the whole object instead of patching it.
	Replace Effect = "replace"
)

var effects = []Effect{Uninstall, Force, Replace}

// Danger is a field by which objects may be deleted as they are applied.
type Danger struct {
	// Path leads to the field, inside the object or the application that was asked about.
	Path manifest.Path
	// What are the options that stand there, and Effect is the worst of what they do.
	What   string
	Effect Effect
	// Objects are those that an application endangers; of an object's own annotation there are none.
	Objects []*objects.Object
}

// Own lists the annotations and labels of an object of a unit by which it may be deleted. Where nothing says what applies
// the unit, those of Argo CD and of Flux count.
func (d *Delivery) Own(u *objects.Unit, o *objects.Object) []Danger {
	by := d.appliers(u)
	if len(by) == 0 {
		by = []*gitops.Application{{Tool: gitops.ArgoCD}, {Tool: gitops.FluxKustomize}}
	}
	var list dangers
	for _, a := range by {
		for _, danger := range dangersOf(a, o) {
			if danger.Own != nil {
				list.add(danger.Own, danger, nil)
			}
		}
	}
	return list
}

// Endangered lists the fields of an application by which objects that it applies may be deleted, of those that a query asks
// for.
func (d *Delivery) Endangered(application *objects.Object, q objects.Query) []Danger {
	if d == nil {
		return nil
	}
	var list dangers
	for _, applied := range d.applied()[application] {
		for _, o := range applied.unit.Find(q) {
			for _, danger := range dangersOf(applied.application, o) {
				if danger.Own == nil && danger.Place.Object == application {
					list.add(danger.Place.Path, danger, o)
				}
			}
		}
	}
	return list
}

func dangersOf(a *gitops.Application, o *objects.Object) []gitops.Danger {
	return a.Dangers(annotations(o), texts(o, "labels"))
}

// dangers collects by field.
type dangers []Danger

func (l *dangers) add(path manifest.Path, danger gitops.Danger, o *objects.Object) {
	i := slices.IndexFunc(*l, func(known Danger) bool { return slices.Equal(known.Path, path) })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Danger{Path: path, What: danger.What, Effect: effectOf(danger)})
	}
	known := &(*l)[i]
	if !slices.Contains(strings.Split(known.What, joint), danger.What) {
		known.What += joint + danger.What
		known.Effect = worse(known.Effect, effectOf(danger))
	}
	if o != nil && !slices.Contains(known.Objects, o) {
		known.Objects = append(known.Objects, o)
	}
}

// joint stands between options of one field.
const joint = " and "

func effectOf(d gitops.Danger) Effect {
	switch {
	case d.Uninstall:
		return Uninstall
	case d.Force:
		return Force
	}
	return Replace
}

func worse(a, b Effect) Effect {
	return effects[min(slices.Index(effects, a), slices.Index(effects, b))]
}

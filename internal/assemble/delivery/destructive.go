package delivery

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/applying"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Effect is what an option can do to an object.
type Effect string

// The effects, the worst first.
const (
	// Uninstall removes everything that was applied together when an upgrade fails.
	Uninstall Effect = "uninstall"
	// Force deletes and creates the object when the API server rejects a change.
	Force Effect = "force"
	// Replace writes the whole object instead of patching it.
	Replace Effect = "replace"
)

var effects = []Effect{Uninstall, Force, Replace}

// DestructiveField is a field that can cause objects to be deleted when they are applied.
type DestructiveField struct {
	// Path is the path of the field in the object or the application.
	Path manifest.Path
	// What lists the options in the field; Effect is their worst effect.
	What   string
	Effect Effect
	// Objects are the objects that an application's field affects; nil for a field of the object itself.
	Objects []*objects.Object
}

// DestructiveAnnotations returns the annotations and labels of an object that can cause its deletion. If no application
// applies the unit, those of both Argo CD and Flux count.
func (d *Delivery) DestructiveAnnotations(u *objects.Unit, o *objects.Object) []DestructiveField {
	by := d.appliers(u)
	if len(by) == 0 {
		by = []*gitops.Application{{Tool: gitops.ArgoCD}, {Tool: gitops.FluxKustomize}}
	}
	var list destructiveFields
	for _, a := range by {
		for _, danger := range optionsOf(a, o) {
			if danger.ObjectPath != nil {
				list.add(danger.ObjectPath, danger, nil)
			}
		}
	}
	return list
}

// DestructiveOptions returns the fields of an application that can cause the deletion of objects that it applies and that
// match a query.
func (d *Delivery) DestructiveOptions(application *objects.Object, q objects.Query) []DestructiveField {
	if d == nil {
		return nil
	}
	var list destructiveFields
	for _, applied := range d.applied()[application] {
		for _, o := range applied.unit.Find(q) {
			for _, danger := range optionsOf(applied.application, o) {
				if danger.ObjectPath == nil && danger.Location.Object == application {
					list.add(danger.Location.Path, danger, o)
				}
			}
		}
	}
	return list
}

func optionsOf(a *gitops.Application, o *objects.Object) []applying.DestructiveOption {
	return applying.DestructiveOptions(a, annotations(o), texts(o, "labels"))
}

// destructiveFields collects options by field.
type destructiveFields []DestructiveField

func (l *destructiveFields) add(path manifest.Path, danger applying.DestructiveOption, o *objects.Object) {
	i := slices.IndexFunc(*l, func(known DestructiveField) bool { return slices.Equal(known.Path, path) })
	if i < 0 {
		i = len(*l)
		*l = append(*l, DestructiveField{Path: path, What: danger.What, Effect: effectOf(danger)})
	}
	known := &(*l)[i]
	if !slices.Contains(strings.Split(known.What, separator), danger.What) {
		known.What += separator + danger.What
		known.Effect = worse(known.Effect, effectOf(danger))
	}
	if o != nil && !slices.Contains(known.Objects, o) {
		known.Objects = append(known.Objects, o)
	}
}

// separator joins the options of one field.
const separator = " and "

func effectOf(d applying.DestructiveOption) Effect {
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

package objects

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// deferral is how a deferred unit is built, and whether it was.
type deferral struct {
	build func() *Unit
	done  atomic.Bool
}

// Defer returns the unit as a deferred one: its objects are those of its files, and build returns the unit as it is applied, once that
// is needed. Rules do not judge its objects, and a search through all units asks [Unit.MayHold] and [Unit.WrittenInstallers]
// whether the built unit can have an answer. The inputs are the contents of its NonObjectInputs.
func (u *Unit) Defer(inputs [][]byte, build func() *Unit) *Unit {
	deferred := u.For(u.Appliers)
	deferred.inputs, deferred.deferral = inputs, newDeferral(build)
	return deferred
}

func newDeferral(build func() *Unit) *deferral {
	d := &deferral{}
	d.build = sync.OnceValue(func() *Unit {
		defer d.done.Store(true)
		return build()
	})
	return d
}

// Deferred reports whether the unit is built only when it is needed.
func (u *Unit) Deferred() bool { return u.deferral != nil }

// Pending reports whether a deferred unit was not built yet.
func (u *Unit) Pending() bool { return u.Deferred() && !u.deferral.done.Load() }

// Applied returns the unit as it is applied, and builds a deferred one.
func (u *Unit) Applied() *Unit {
	if !u.Deferred() {
		return u
	}
	return u.deferral.build()
}

// Then has f called with the unit as it is applied: at once, or after a deferred one was built. The unit must not be in use yet.
func (u *Unit) Then(f func(*Unit)) {
	if !u.Pending() {
		f(u.Applied())
		return
	}
	build := u.deferral.build
	u.deferral = newDeferral(func() *Unit {
		built := build()
		f(built)
		return built
	})
}

// AllApplied returns units as they are applied.
func AllApplied(units []*Unit) []*Unit {
	applied := make([]*Unit, len(units))
	for i, u := range units {
		applied[i] = u.Applied()
	}
	return applied
}

// Answering returns the units as they are applied, without the deferred ones that were not built.
func Answering(units []*Unit) []*Unit {
	answering := make([]*Unit, 0, len(units))
	for _, u := range units {
		if !u.Pending() {
			answering = append(answering, u.Applied())
		}
	}
	return answering
}

// MayHold reports whether the unit as it is applied can contain an object that a query selects. It decides about a deferred unit by
// the objects and the bytes of its files: a build changes no kinds, and a name comes from the name in a file, from a prefix and a
// suffix around it, from the text of a patch, or from a variable.
func (u *Unit) MayHold(q Query) bool {
	if !u.Pending() {
		return true
	}
	if slices.ContainsFunc(u.Kustomizations, func(k *Kustomization) bool { return k.generates(q.Kind) }) {
		return true
	}
	of := u.Find(Query{Group: q.Group, Kind: q.Kind})
	if q.Kind == "" {
		of = u.Objects
	}
	if q.Name == "" || len(of) == 0 {
		return len(of) > 0
	}
	return u.composesTexts() || u.writes(q.Name) ||
		slices.ContainsFunc(of, func(o *Object) bool {
			return o.Name == "" || strings.Contains(o.Name, "$") || strings.Contains(q.Name, o.Name)
		})
}

// WrittenInstallers returns what [Unit.OpaqueInstallers] returns for the unit as it is applied, without building a deferred one. It is
// certain if no kustomization and no patch of the unit can change the answer for its files.
func (u *Unit) WrittenInstallers(namespace string) (installers []*Object, certain bool) {
	u = u.answering()
	installers = u.OpaqueInstallers(namespace)
	switch {
	case !u.Pending(), len(u.OpaqueInstallers(AnyNamespace)) == 0:
		return installers, true
	case u.writes("$patch"): // it can delete objects
		return nil, false
	case namespace == AnyNamespace, !u.writes("namespace") && !u.composesTexts():
		return installers, true
	}
	changes := u.composesTexts() || u.writesAny("remove", "null", "~", "$", "{") || namespace != "" && u.writes(namespace)
	return nil, len(installers) == 0 && !changes // a namespace with a placeholder counts for all
}

// answering returns the unit as it is applied if it is built, and otherwise the unit of its files.
func (u *Unit) answering() *Unit {
	if u.Pending() {
		return u
	}
	return u.Applied()
}

// composesTexts reports whether a kustomization can write a text that none of its files contains as a whole.
func (u *Unit) composesTexts() bool {
	return u.writes(`\`) || slices.ContainsFunc(u.Transforms, func(t Transform) bool { return t.Field == "replacements" || t.Field == "vars" })
}

// writesAny reports whether a kustomization or a patch of the unit contains one of the texts.
func (u *Unit) writesAny(texts ...string) bool { return slices.ContainsFunc(texts, u.writes) }

// Mentions reports whether a file of a deferred unit contains one of the texts.
func (u *Unit) Mentions(texts ...string) bool {
	return u.writesAny(texts...) || slices.ContainsFunc(u.Objects, func(o *Object) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(o.Doc.File.Data, []byte(text)) })
	})
}

// writes reports whether a kustomization or a patch of the unit contains a text.
func (u *Unit) writes(text string) bool {
	wanted := []byte(text)
	if slices.ContainsFunc(u.Kustomizations, func(k *Kustomization) bool { return bytes.Contains(k.Doc.File.Data, wanted) }) {
		return true
	}
	return slices.ContainsFunc(u.inputs, func(data []byte) bool { return bytes.Contains(data, wanted) })
}

package world

import (
	"slices"

	"github.com/salint/salint/internal/inventory"
)

// About lists the units that the user asked about: those that apply a file he selected. What a kustomization applies is
// applied together. Plain files are not: of the plain unit those objects that questions start at count only where they were
// selected, while the objects that they refer to may lie anywhere.
func (w *World) About(selected func(file string) bool, start func(*inventory.Object) bool) []*inventory.Unit {
	var units []*inventory.Unit
	for _, unit := range w.Units {
		if unit.Kind == inventory.PlainUnit {
			units = append(units, narrowed(unit, selected, start))
		} else if applies(unit, selected) {
			units = append(units, unit)
		}
	}
	return units
}

func applies(unit *inventory.Unit, selected func(string) bool) bool {
	return slices.ContainsFunc(unit.Objects, func(o *inventory.Object) bool { return selected(o.File) }) ||
		slices.ContainsFunc(unit.Kustomizations, func(k *inventory.Kustomization) bool { return selected(k.Path) })
}

func narrowed(unit *inventory.Unit, selected func(string) bool, start func(*inventory.Object) bool) *inventory.Unit {
	outside := func(o *inventory.Object) bool { return start(o) && !selected(o.File) }
	if !slices.ContainsFunc(unit.Objects, outside) {
		return unit
	}
	return &inventory.Unit{
		Name: unit.Name, Root: unit.Root, Kind: unit.Kind, Problems: unit.Problems,
		Objects: slices.DeleteFunc(slices.Clone(unit.Objects), outside),
	}
}

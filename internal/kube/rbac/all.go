package rbac

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Bindings lists every subject of every binding of a unit, in the order of the unit.
func Bindings(u *objects.Unit) []Binding { return slices.Clone(indexOf(u).bindings) }

package objects

import (
	"slices"
)

// SortedOnce sorts objects and removes duplicates.
func SortedOnce(objs []*Object) []*Object {
	slices.SortFunc(objs, Compare)
	return slices.Compact(objs)
}

package rules

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// sortedOnce sorts objects and removes duplicates.
func sortedOnce(objs []*objects.Object) []*objects.Object {
	slices.SortFunc(objs, objects.Compare)
	return slices.Compact(objs)
}

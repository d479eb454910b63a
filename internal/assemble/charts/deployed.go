package charts

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

// Deployed returns the units without charts that are rendered with their default values although applications or the configuration
// render them with others: like a base of overlays, such a chart is only a part of what is applied.
func Deployed(units []*objects.Unit) []*objects.Unit {
	rendered := map[string]bool{}
	for _, u := range units {
		for _, r := range u.Renderings {
			rendered[r.Chart] = rendered[r.Chart] || !HasOwnValues(u)
		}
	}
	return slices.DeleteFunc(slices.Clone(units), func(u *objects.Unit) bool { return HasOwnValues(u) && rendered[u.Root] })
}

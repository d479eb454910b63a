package installers

import (
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/kube/objects"
)

// Replaced marks the charts with their own values that applications, kustomizations or releases are known to render with theirs.
// Where none of these renderings is known, or a release sets no values, the chart's own values remain the best knowledge.
func Replaced(units, rendered []*objects.Unit, installed Releases) []*objects.Unit {
	by := map[string][]*objects.Unit{}
	add := func(u *objects.Unit, chart string) {
		if all := by[chart]; len(all) == 0 || all[len(all)-1] != u {
			by[chart] = append(all, u)
		}
	}
	for _, u := range units {
		for _, r := range u.Renderings {
			if !u.NotBuilt && !r.Uncertain && !isLeftOut(u, r.Chart) {
				add(u, r.Chart)
			}
		}
	}
	for _, u := range rendered {
		if !u.NotBuilt && installed.names[u.Name] {
			add(u, u.Root)
		}
	}
	marked := slices.Clone(rendered)
	for i, u := range marked {
		others := by[u.Root]
		if len(others) > 0 && !installed.defaults[u.Root] && len(u.Replacements) == 0 && charts.HasOwnValues(u) {
			marked[i] = u.ReplacedBy(others)
		}
	}
	return marked
}

// isLeftOut reports whether a unit does not contain what it renders of a chart, because that cannot be built.
func isLeftOut(u *objects.Unit, chart string) bool {
	return slices.ContainsFunc(u.LeftOut, func(l objects.LeftOut) bool { return l.Covers(chart) })
}

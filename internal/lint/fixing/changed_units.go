package fixing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/proof/verify"
)

// changedUnits returns the changed units for reports, sorted by name: of plain files each folder, and of the others those that are
// applied.
func changedUnits(units []verify.ChangedUnit, all []*objects.Unit) []finding.Unit {
	applied := map[objects.UnitKey]bool{}
	for _, u := range charts.Deployed(all) {
		applied[u.Key()] = true
	}
	var changed []finding.Unit
	for _, u := range units {
		switch {
		case u.Kind == objects.PlainUnit:
			for _, folder := range u.Folders {
				changed = append(changed, finding.Unit{Kind: string(u.Kind), Name: folder})
			}
		case applied[u.Key()]:
			changed = append(changed, finding.Unit{Kind: string(u.Kind), Name: u.Name})
		}
	}
	return JoinUnits(changed, nil)
}

// JoinUnits returns the units of two lists, sorted and each once.
func JoinUnits(a, b []finding.Unit) []finding.Unit {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y finding.Unit) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.Kind, y.Kind))
	})
	return slices.Compact(all)
}

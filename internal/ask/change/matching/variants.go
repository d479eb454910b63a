package matching

import (
	"cmp"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// pairVariants pairs charts with API versions that their templates test in one state only, and new tests of charts: they are compared with the chart as it
// was, or is, without those. Such a unit is another view of the same chart, so what both have is neither new nor gone.
func pairVariants(before, after, left, unpaired []*objects.Unit) (pairs []Pair, stillLeft, stillUnpaired []*objects.Unit) {
	isPaired := map[*objects.Unit]bool{}
	for _, u := range unpaired {
		if old := cmp.Or(otherVersions(u, before), otherValues(u, before)); old != nil {
			isPaired[u] = true
			pairs = append(pairs, Pair{Before: named(old, u.Name), After: u})
		}
	}
	for _, u := range left {
		if now := otherVersions(u, after); now != nil {
			if isPaired[u] = true; !isPaired[now] { // otherwise it is the earlier state of that one already
				pairs = append(pairs, Pair{Before: u, After: named(now, u.Name)})
			}
		}
	}
	paired := func(u *objects.Unit) bool { return isPaired[u] }
	return pairs, slices.DeleteFunc(slices.Clone(left), paired), slices.DeleteFunc(slices.Clone(unpaired), paired)
}

// variantsOfMoved pairs charts with API versions that are new in a chart which was moved as well.
func variantsOfMoved(moved []Pair, unpaired []*objects.Unit) (pairs []Pair, stillUnpaired []*objects.Unit) {
	var after []*objects.Unit
	before := map[*objects.Unit]*objects.Unit{}
	for _, p := range moved {
		after, before[p.After] = append(after, p.After), p.Before
	}
	for _, u := range unpaired {
		if now := otherVersions(u, after); now != nil {
			pairs = append(pairs, Pair{Before: named(before[now], u.Name), After: u})
			continue
		}
		stillUnpaired = append(stillUnpaired, u)
	}
	return pairs, stillUnpaired
}

// otherVersions returns the unit that is the same chart with the same values as one with API versions, but with others of these; nil if there
// is none. One with some is preferred.
func otherVersions(u *objects.Unit, units []*objects.Unit) *objects.Unit {
	if !isVariant(u) {
		return nil
	}
	var found *objects.Unit
	for _, other := range units {
		if other.Kind != objects.ChartUnit || other.Root != u.Root || len(other.Renderings) != 1 || !slices.Equal(other.Renderings[0].Values, u.Renderings[0].Values) {
			continue
		}
		if found == nil || isVariant(other) {
			found = other
		}
	}
	return found
}

// otherValues returns the unit that is the same chart as one with the values of a test, ci/*-values.yaml, and has the most objects of it; nil if there is
// none. No deployment uses such values, so a new test brings only what the chart did not grant in any way before.
//
// Source: https://github.com/helm/chart-testing#configuration.
func otherValues(u *objects.Unit, units []*objects.Unit) *objects.Unit {
	isOfTest := func(file string) bool { return strings.HasPrefix(file, u.Root+"/ci/") }
	if u.Kind != objects.ChartUnit || len(u.Renderings) != 1 || !slices.ContainsFunc(u.Renderings[0].Values, isOfTest) {
		return nil
	}
	mine := CountOf(u)
	var found *objects.Unit
	most := -1
	for _, other := range units {
		if other.Kind != objects.ChartUnit || other.Root != u.Root {
			continue
		}
		common := 0
		for id := range CountOf(other) {
			common += min(1, mine[id])
		}
		if common > most {
			found, most = other, common
		}
	}
	return found
}

func isVariant(u *objects.Unit) bool {
	return u.Kind == objects.ChartUnit && len(u.Renderings) == 1 && len(u.Renderings[0].APIVersions) > 0
}

// named returns a unit under another name.
func named(u *objects.Unit, name string) *objects.Unit {
	return &objects.Unit{Name: name, Root: u.Root, Kind: u.Kind, Kubernetes: u.Kubernetes, Members: u.Members, Objects: u.Objects}
}

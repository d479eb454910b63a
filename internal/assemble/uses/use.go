package uses

import (
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// useOf returns the use of a place for the account that asks. Values of charts and patches are judged by what the units contain: the
// chart or the patch can give the account its name, or make an object use it.
func (i *Index) useOf(asks *objects.Object, place Place, account objects.Account) Use {
	if asks == nil || asks.Kind != rbac.KindServiceAccount || place.Ref != "" && !place.IsInPatch() && !place.IsChartValue() && place.Use == Refers {
		return place.Use
	}
	own := i.repo.UnitThatHas(asks)
	if own == nil {
		return place.Use
	}
	if actsAs(own, account) {
		return Refers
	}
	reading := i.repo.UnitsOf(place.File)
	switch {
	case place.IsChartValue():
		if charts.Of(asks) != nil && (slices.Contains(reading, own) || isApplier(own, place) || isValuesFile(asks, place.File)) {
			return Names
		}
	case place.IsInPatch() && len(reading) > 0:
		if !slices.ContainsFunc(reading, func(u *objects.Unit) bool { return u.NotBuilt || actsAs(u, account) }) {
			return Names
		}
	}
	return place.Use
}

// isApplier reports whether a place is in the application that applies a unit.
func isApplier(u *objects.Unit, place Place) bool {
	return slices.ContainsFunc(u.Appliers, func(a objects.Applier) bool { return a.Object.File == place.File && a.Object.Ref() == place.Ref })
}

// isValuesFile reports whether the chart that makes an account is rendered with the values of a file.
func isValuesFile(account *objects.Object, file string) bool {
	set := charts.Of(account).Rendered.Set
	return slices.Contains(set.Files, file) || file == set.Chart+"/values.yaml"
}

// actsAs reports whether an object of a unit uses an account, as a pod does: an object other than its manifest and its bindings.
func actsAs(u *objects.Unit, account objects.Account) bool {
	return slices.ContainsFunc(u.References(account), func(r objects.Reference) bool {
		return r.What != objects.Definition && r.What != objects.Subject && r.What != objects.UserName
	})
}

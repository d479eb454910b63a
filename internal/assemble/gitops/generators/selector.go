package generators

import (
	"slices"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// selected returns the sets of parameters that a label selector matches, with the parameters as labels. Unlike label
// values, parameters can be any string.
func selected(selector view.View, sets []Params) ([]Params, error) {
	if !selector.There() {
		return sets, nil
	}
	for _, item := range selector.Get("matchExpressions").Items() {
		if !slices.Contains([]string{"In", "NotIn", "Exists", "DoesNotExist"}, item.Get("operator").String()) {
			return nil, refuse(item.At(), "the selector has an unknown operator %q", item.Get("operator").String())
		}
	}
	var kept []Params
	for _, set := range sets {
		if matches(selector, flattened(set)) {
			kept = append(kept, set)
		}
	}
	return kept, nil
}

func matches(selector view.View, labels map[string]string) bool {
	for _, entry := range selector.Get("matchLabels").Entries() {
		if value, there := labels[entry.Key]; !there || value != entry.Value.Value {
			return false
		}
	}
	for _, item := range selector.Get("matchExpressions").Items() {
		value, there := labels[item.Get("key").String()]
		listed := slices.ContainsFunc(item.Get("values").Texts(), func(f view.Field[string]) bool { return f.Value == value })
		var ok bool
		switch item.Get("operator").String() {
		case "In":
			ok = there && listed
		case "NotIn":
			ok = !there || !listed
		case "Exists":
			ok = there
		case "DoesNotExist":
			ok = !there
		}
		if !ok {
			return false
		}
	}
	return true
}

package gitops

import (
	"slices"
)

// selected returns the sets of parameters that a label selector matches, with the parameters as labels. Unlike label
// values, parameters can be any string.
func selected(selector view, sets []params) ([]params, error) {
	if !selector.there() {
		return sets, nil
	}
	for _, item := range selector.get("matchExpressions").items() {
		if !slices.Contains([]string{"In", "NotIn", "Exists", "DoesNotExist"}, item.get("operator").string()) {
			return nil, refuse(item.at(), "the selector has an unknown operator %q", item.get("operator").string())
		}
	}
	var kept []params
	for _, set := range sets {
		if matches(selector, flattened(set)) {
			kept = append(kept, set)
		}
	}
	return kept, nil
}

func matches(selector view, labels map[string]string) bool {
	for _, entry := range selector.get("matchLabels").entries() {
		if value, there := labels[entry.Key]; !there || value != entry.Value.Value {
			return false
		}
	}
	for _, item := range selector.get("matchExpressions").items() {
		value, there := labels[item.get("key").string()]
		listed := slices.ContainsFunc(item.get("values").texts(), func(f Field[string]) bool { return f.Value == value })
		var ok bool
		switch item.get("operator").string() {
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

package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// environments are the names of folders whose subfolders are often clusters or environments.
var environments = []string{
	"overlays", "overlay", "environments", "environment", "envs", "env", "clusters", "cluster", "stages", "sites", "regions",
}

// mostSuggested is how many overrides are suggested.
const mostSuggested = 10

// SuggestTargets returns the lines of a configuration that sets the targets of paths, one override for each cluster or environment that their
// folders show. The target is a placeholder, which the configuration does not accept: only the user knows it.
func SuggestTargets(paths []string) string {
	groups := map[string][]string{}
	var order []string
	for _, p := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		key := environmentOf(p)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], p)
	}
	var b strings.Builder
	b.WriteString("overrides:")
	for i, key := range order {
		if i == mostSuggested {
			fmt.Fprintf(&b, "\n# and %d more", len(order)-i)
			break
		}
		fmt.Fprintf(&b, "\n- paths: [%s]\n  target: ???", QuotedList(joined(groups[key])))
	}
	return b.String()
}

// environmentOf returns the name of the cluster or environment in a path, with the folder that lists such names; otherwise the path.
func environmentOf(pattern string) string {
	names := strings.Split(pattern, "/")
	for i := len(names) - 3; i >= 0; i-- {
		if slices.Contains(environments, names[i]) {
			return names[i] + "/" + names[i+1]
		}
	}
	return pattern
}

// joined replaces patterns that differ in the name of one folder by one pattern.
func joined(patterns []string) []string {
	if len(patterns) < 2 {
		return patterns
	}
	first, differs := strings.Split(patterns[0], "/"), -1
	for _, p := range patterns[1:] {
		names := strings.Split(p, "/")
		if len(names) != len(first) {
			return patterns
		}
		for i := range names {
			if names[i] == first[i] {
				continue
			}
			if differs >= 0 && differs != i {
				return patterns
			}
			differs = i
		}
	}
	first[differs] = "*"
	return []string{strings.Join(first, "/")}
}

// QuotedList returns patterns as the items of a list in YAML.
func QuotedList(patterns []string) string {
	all := make([]string, len(patterns))
	for i, p := range patterns {
		all[i] = strconv.Quote(p)
	}
	return strings.Join(all, ", ")
}

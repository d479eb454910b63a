package alike

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Paths joins paths that differ in one component, as shells write them: apps/{a,b}/rbac.yaml. Each path is in one of the patterns, which
// are in the order of the first path of each.
func Paths(paths []string) []string {
	var patterns []string
	for _, same := range byDepth(paths) {
		patterns = append(patterns, joined(same)...)
	}
	return patterns
}

// byDepth divides paths by their number of components.
func byDepth(paths []string) [][][]string {
	place := map[int]int{}
	var groups [][][]string
	for _, p := range paths {
		parts := strings.Split(p, "/")
		i, known := place[len(parts)]
		if !known {
			i = len(groups)
			place[len(parts)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], parts)
	}
	return groups
}

// joined joins paths of one depth at the component where the fewest patterns are left.
func joined(paths [][]string) []string {
	var best []string
	for at := range paths[0] {
		if patterns := joinedAt(paths, at); best == nil || len(patterns) < len(best) {
			best = patterns
		}
	}
	return best
}

// joinedAt joins the paths that differ only in the component at an index.
func joinedAt(paths [][]string, at int) []string {
	type around struct{ before, after string }
	values, first := map[around][]string{}, map[around]int{}
	for i, p := range paths {
		of := around{strings.Join(p[:at], "/"), strings.Join(p[at+1:], "/")}
		if len(values[of]) == 0 {
			first[of] = i
		}
		if !slices.Contains(values[of], p[at]) {
			values[of] = append(values[of], p[at])
		}
	}
	ordered := slices.SortedFunc(maps.Keys(values), func(a, b around) int { return cmp.Compare(first[a], first[b]) })
	patterns := make([]string, len(ordered))
	for i, of := range ordered {
		value := braced(values[of])
		parts := slices.DeleteFunc([]string{of.before, value, of.after}, func(s string) bool { return s == "" })
		patterns[i] = strings.Join(parts, "/")
	}
	return patterns
}

// braced writes values as alternatives; what all have at their ends stays outside of the braces.
func braced(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	end := commonEnd(values)
	inner := make([]string, len(values))
	for i, v := range values {
		inner[i] = strings.TrimSuffix(v, end)
	}
	return "{" + strings.Join(inner, ",") + "}" + end
}

// commonEnd returns the longest end that begins with a dot or a colon and that all values have after something else.
func commonEnd(values []string) string {
	for i, c := range values[0] {
		if i == 0 || c != '.' && c != ':' {
			continue
		}
		end := values[0][i:]
		if !slices.ContainsFunc(values, func(v string) bool { return len(v) <= len(end) || !strings.HasSuffix(v, end) }) {
			return end
		}
	}
	return ""
}

package charts

import (
	"path"
	"slices"
	"strings"
)

const chartFile = "Chart.yaml"

// Find returns the folders of the charts among the files of a repository, sorted. A chart in the charts/ of another one is
// a dependency, and is rendered only with that one.
func Find(names []string) []string {
	var all []string
	for _, name := range names {
		if path.Base(name) == chartFile {
			all = append(all, path.Dir(name))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(chart string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(chart, path.Join(other, "charts")+"/") })
	})
}

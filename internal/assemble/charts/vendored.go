package charts

import (
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

// SourceOf returns the file from which `helm dependency update` copies a file in the charts/ of a chart: the file of a
// local dependency in Chart.yaml, such as `repository: file://../lib`. It is "" if there is none.
func SourceOf(file string, read func(name string) ([]byte, error)) string {
	at := strings.LastIndex(file, "/charts/")
	if at < 0 {
		return ""
	}
	parent := file[:at]
	dependency, rest, _ := strings.Cut(file[at+len("/charts/"):], "/")
	data, err := read(path.Join(parent, chartFile))
	var chart struct {
		Dependencies []struct{ Name, Repository string }
	}
	if err != nil || yaml.Unmarshal(data, &chart) != nil {
		return ""
	}
	for _, d := range chart.Dependencies {
		folder, local := strings.CutPrefix(d.Repository, "file://")
		if d.Name != dependency || !local || path.IsAbs(folder) {
			continue
		}
		source := path.Join(parent, folder, rest)
		if source == ".." || strings.HasPrefix(source, "../") {
			return ""
		}
		if _, err := read(source); err == nil {
			return source
		}
	}
	return ""
}

package consumers

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/files/commands"
)

// HelmRun is a command that renders a chart of the repository with further values.
type HelmRun struct {
	// Place is file:line.
	Place string
	// Set are the values of its flags, as KEY=VALUE, and Files the values files of the repository that it names.
	Set, Files []string
}

// HelmRuns returns the commands that render the chart in a folder, in the order of their texts.
func (x *Index) HelmRuns(chart string) []HelmRun { return x.helmRuns[chart] }

// helmRun adds a command that renders a chart.
func (x *Index) helmRun(file string, c *commands.Command) {
	if c.Name != "helm" || !c.Has("install", "upgrade", "template") {
		return
	}
	run := HelmRun{
		Place: at(file, c.Line, c.Name).Place,
		Set:   slices.Concat(c.Flag("", "set"), c.Flag("", "set-string"), c.Flag("", "set-literal")),
	}
	for _, p := range pathsOf(c, file, append(c.Flag("f", "values"), c.Flag("", "set-file")...)) {
		run.Files = append(run.Files, slices.DeleteFunc(x.matching(p), func(found string) bool { return !x.from.Paths.HasFile(found) })...)
	}
	if len(run.Set)+len(run.Files) == 0 {
		return
	}
	var charts []string
	for _, p := range pathsOf(c, file, c.Positionals("-n", "--namespace", "-f", "--values", "--set", "--set-string", "--version", "--kube-context")) {
		for _, found := range x.matching(p) {
			if x.from.Paths.HasFile(path.Join(found, "Chart.yaml")) && !slices.Contains(charts, found) {
				charts = append(charts, found)
				x.helmRuns[found] = append(x.helmRuns[found], run)
			}
		}
	}
}

package assembly

import (
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/kube/objects"
)

// tree holds the files and folders of the repository.
type tree struct {
	*pathset.Set
	charts map[string]bool // folders with a Chart.yaml
	// complete is false if the files are unknown: then none can be reported as missing.
	complete bool
}

func newTree(files []string) *tree {
	t := &tree{Set: pathset.Of(files), charts: map[string]bool{}, complete: len(files) > 0}
	for folder := range t.FoldersWith("Chart.yaml") {
		t.charts[folder] = true
	}
	return t
}

// whyMissing returns why a file that a kustomization lists was not read.
func (a *Builder) whyMissing(target string) string {
	for _, file := range a.tree.Files() {
		if len(file) == len(target) && strings.EqualFold(file, target) {
			return "it is named " + file + ", and the case of names matters"
		}
	}
	if a.absent == nil {
		return "it does not exist"
	}
	return a.absent(target)
}

// Charts reports which files belong to Helm charts, and are templates or data instead of objects.
type Charts struct{ tree *tree }

// FindCharts finds charts, folders with a Chart.yaml, among the files of the repository.
func FindCharts(files []string) Charts { return Charts{newTree(files)} }

// Template returns the folder of the chart that a file is a template of. ok is false for other files.
func (c Charts) Template(file string) (chart string, ok bool) { return c.tree.template(file) }

// template returns the folder of the chart that a file is a template of: the file is below the chart's templates folder.
// For nested charts it is the innermost.
func (t *tree) template(file string) (chart string, ok bool) {
	if len(t.charts) == 0 {
		return "", false
	}
	below := path.Dir(file)
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if t.charts[dir] {
			templates := path.Join(dir, "templates")
			return dir, below == templates || strings.HasPrefix(below, templates+"/")
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}

// chartFolders are the folders of a chart whose files it renders, applies, reads, or is tested with.
var chartFolders = []string{"templates", "crds", "charts", "files", "ci"}

// inChart reports whether a file is part of a chart, and therefore not applied as it is.
func (t *tree) inChart(file string) bool {
	if len(t.charts) == 0 {
		return false
	}
	for folder := path.Dir(file); folder != "." && folder != "/"; folder = path.Dir(folder) {
		if t.charts[path.Dir(folder)] && slices.Contains(chartFolders, path.Base(folder)) {
			return true
		}
	}
	return false
}

// isValues reports whether a file contains values for a chart: it is in a chart's folder and has the name of a values file.
// Values elsewhere are recognized by the missing apiVersion, even if they have a key named kind.
func (t *tree) isValues(object *objects.Object) bool {
	if !isValuesName(path.Base(object.File)) {
		return false
	}
	return object.APIVersion == "" || t.charts[path.Dir(object.File)]
}

// isValuesName reports whether a file has the name of a values file: values.yaml, values-prod.yaml, prod-values.yaml,
// prod.values.yaml.
func isValuesName(base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	const word = "values"
	if before, ok := strings.CutSuffix(stem, word); ok {
		return before == "" || strings.ContainsAny(before[len(before)-1:], "-_.")
	}
	after, ok := strings.CutPrefix(stem, word)
	return ok && strings.ContainsAny(after[:1], "-_.")
}

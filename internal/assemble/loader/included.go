package loader

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/render"
)

// included finds the files of charts that templates read with .Files. What they make of them is among what the chart renders.
type included struct {
	files render.Files
	names []string
	dirs  map[string]bool // of charts
	known map[string][]glob.Path
}

func newIncluded(files render.Files, names []string) *included {
	i := &included{files: files, names: names, dirs: map[string]bool{}, known: map[string][]glob.Path{}}
	for dir := range pathset.Of(names).FoldersWith("Chart.yaml") {
		i.dirs[dir] = true
	}
	return i
}

// includesFile matches what reads files of a chart in a template: https://helm.sh/docs/chart_template_guide/accessing_files
var includesFile = lazyregexp.New(`\.Files\.(?:Get|GetBytes|Lines|Glob)\s+["\x60]([^"\x60\n]+)["\x60]`)

// has reports whether a template of the chart around a file reads it.
func (i *included) has(file string) bool {
	if i.files == nil || len(i.dirs) == 0 {
		return false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if i.dirs[dir] {
			for _, p := range i.patterns(dir) {
				if p.Match(file) {
					return true
				}
			}
			return false
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}

// patterns returns the files that the templates of a chart read.
func (i *included) patterns(chart string) []glob.Path {
	found, known := i.known[chart]
	if known {
		return found
	}
	templates := path.Join(chart, "templates") + "/"
	for _, name := range i.names {
		if !strings.HasPrefix(name, templates) {
			continue
		}
		data, err := i.files.ReadFile(name)
		if err != nil {
			continue // the chart cannot be rendered either
		}
		for _, m := range includesFile().FindAllSubmatch(data, -1) {
			if p, err := glob.ParsePath("/" + path.Clean(string(m[1]))); err == nil {
				found = append(found, p.Below(chart))
			}
		}
	}
	i.known[chart] = found
	return found
}

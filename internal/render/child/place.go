package child

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/render/wire"
)

// place is where a file lies: below the chart, or inside an archive that does.
type place struct{ file, inside string }

// join goes down into a folder or a file.
func (p place) join(name string) place {
	if p.inside != "" {
		return place{p.file, path.Join(p.inside, name)}
	}
	return place{path.Join(p.file, name), ""}
}

// locate says where the templates and other files of a chart and its subcharts lie. Helm names templates after charts,
// and gives copies of a chart that is used under an alias other names; its files stay the same.
func locate(c *chart.Chart, at place) map[*chart.File]place {
	places := map[*chart.File]place{}
	locateIn(c, at, places)
	return places
}

func locateIn(c *chart.Chart, at place, places map[*chart.File]place) {
	for _, file := range slices.Concat(c.Templates, c.Files) {
		places[file] = at.join(file.Name)
	}
	for _, sub := range c.Dependencies() {
		locateIn(sub, subchartPlace(c, sub, at), places)
	}
}

// subchartPlace finds the folder or archive below charts/ that a subchart was read from.
func subchartPlace(c, sub *chart.Chart, at place) place {
	archive := ""
	for _, file := range c.Raw {
		name, ok := strings.CutPrefix(file.Name, "charts/")
		if !ok {
			continue
		}
		folder, rest, _ := strings.Cut(name, "/")
		switch {
		case rest == "Chart.yaml" && chartName(file.Data) == sub.Name():
			return at.join("charts/" + folder)
		case rest == "" && filepath.Ext(name) == ".tgz" && strings.HasPrefix(name, sub.Name()+"-"):
			if archive == "" || name == sub.Name()+"-"+sub.Metadata.Version+".tgz" {
				archive = name
			}
		}
	}
	inArchive := at.join("charts/" + archive)
	if inArchive.inside == "" {
		inArchive.inside = sub.Name()
	}
	return inArchive
}

func chartName(data []byte) string {
	var metadata chart.Metadata
	if yaml.Unmarshal(data, &metadata) != nil {
		return ""
	}
	return metadata.Name
}

// sources lists the templates by the names that Helm gives them, unrendered.
func sources(c *chart.Chart, places map[*chart.File]place) map[string]wire.Template {
	found := map[string]wire.Template{}
	addSources(c, places, found)
	return found
}

func addSources(c *chart.Chart, places map[*chart.File]place, found map[string]wire.Template) {
	for _, file := range c.Templates {
		name := path.Join(c.ChartFullPath(), file.Name)
		found[name] = wire.Template{Name: name, File: places[file].file, Inside: places[file].inside, Source: string(file.Data)}
	}
	for _, sub := range c.Dependencies() {
		addSources(sub, places, found)
	}
}

// templateAt finds the places that Helm and text/template name: "template: NAME:12:3: ", "at (NAME:12:3): ".
var templateAt = regexp.MustCompile(`(?:template: |at \()([^\s:()]+):(\d+)(?::(\d+))?[:)]`)

// chartError says where a chart could not be rendered: of a chain of templates that include one another, at the last.
func chartError(err error, sources map[string]wire.Template) wire.Result {
	fault := &wire.Error{Message: err.Error()}
	for _, match := range templateAt.FindAllStringSubmatch(fault.Message, -1) {
		source, known := sources[match[1]]
		if !known {
			continue
		}
		fault.File, fault.Inside = source.File, source.Inside
		fault.Line, _ = strconv.Atoi(match[2])
		fault.Column, _ = strconv.Atoi(match[3])
	}
	return wire.Result{Error: fault}
}

package process

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/render/protocol"
)

// location is the path of a file in the chart, or in an archive in the chart.
type location struct{ file, inside string }

// join returns the location of a file or folder in l.
func (p location) join(name string) location {
	if p.inside != "" {
		return location{p.file, path.Join(p.inside, name)}
	}
	return location{path.Join(p.file, name), ""}
}

// locate returns the locations of the templates and other files of a chart and its subcharts. Helm names templates after
// charts, and renames copies of a chart that is used under an alias; the files are the same.
func locate(c *chart.Chart, at location) map[*chart.File]location {
	places := map[*chart.File]location{}
	locateIn(c, at, places)
	return places
}

func locateIn(c *chart.Chart, at location, places map[*chart.File]location) {
	for _, file := range slices.Concat(c.Templates, c.Files) {
		places[file] = at.join(file.Name)
	}
	for _, sub := range c.Dependencies() {
		locateIn(sub, subchartLocation(c, sub, at), places)
	}
}

// subchartLocation returns the folder or archive in charts/ from which a subchart was read.
func subchartLocation(c, sub *chart.Chart, at location) location {
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

// sources returns the unrendered templates by Helm's names.
func sources(c *chart.Chart, places map[*chart.File]location) map[string]protocol.Template {
	found := map[string]protocol.Template{}
	addSources(c, places, found)
	return found
}

func addSources(c *chart.Chart, places map[*chart.File]location, found map[string]protocol.Template) {
	for _, file := range c.Templates {
		name := path.Join(c.ChartFullPath(), file.Name)
		found[name] = protocol.Template{Name: name, File: places[file].file, Inside: places[file].inside, Source: string(file.Data)}
	}
	for _, sub := range c.Dependencies() {
		addSources(sub, places, found)
	}
}

// templateAt matches the positions in errors of Helm and text/template: "template: NAME:12:3: ", "at (NAME:12:3): ".
var templateAt = lazyregexp.New(`(?:template: |at \()([^\s:()]+):(\d+)(?::(\d+))?[:)]`)

// chartError returns the error of a rendering with its position: the last one in a chain of includes.
func chartError(err error, sources map[string]protocol.Template, loaded *chart.Chart, request protocol.Chart) protocol.Result {
	fault := &protocol.Error{Message: shownMessage(err, loaded, request)}
	for _, match := range templateAt().FindAllStringSubmatch(err.Error(), -1) {
		source, known := sources[match[1]]
		if !known {
			continue
		}
		fault.File, fault.Inside = source.File, source.Inside
		fault.Line, _ = strconv.Atoi(match[2])
		fault.Column, _ = strconv.Atoi(match[3])
	}
	return protocol.Result{Error: fault}
}

package installers

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render"
)

// Releases are what helmfile and Fleet install of charts in the repository, with values.
type Releases struct {
	// Sets are the charts with values that are written in the file of the tool.
	Sets []charts.Set
	// Unread are those with other values: in files, in templates, or from the cluster.
	Unread []objects.LeftOut
	// names are those of the sets.
	names map[string]bool
	// defaults are the charts that are installed with no values but their own, or with some that were not read.
	defaults map[string]bool
}

// Releases reads the values that helmfile and Fleet set. Only mappings in the file itself are read.
func (r Inputs) Releases() Releases {
	all := Releases{names: map[string]bool{}, defaults: map[string]bool{}}
	if r.Files == nil {
		return all
	}
	eachOfTools(r, releasesIn, func(file, text string, found []valuedRelease) {
		for _, release := range found {
			for _, dir := range r.chartsAt(path.Dir(file), release.chart) {
				all.add(release, dir, file, text)
			}
		}
	})
	return all
}

// releasesIn returns the function that finds the releases of a file, by the name of the file; nil if it can have none.
func releasesIn(name string) func(name, text string) []valuedRelease {
	switch {
	case isFleet(name):
		return fleetReleases
	case isHelmfile(name):
		return helmfileReleases
	}
	return nil
}

// valuedRelease is a release with values of a chart in the repository.
type valuedRelease struct {
	tool, name, namespace, chart string
	// values are the mappings in the file; other is the field because of which the values are not known, or "".
	values []map[string]any
	other  string
}

func (all *Releases) add(r valuedRelease, dir, file, text string) {
	data, err := encodeValues(r.values)
	if r.other == "" && err == nil && len(r.values) > 0 {
		set := charts.Set{
			Chart: dir, Name: fmt.Sprintf("%s with the values of %s", dir, file), Files: []string{file}, Values: data,
			ReleaseName: r.name, Namespace: r.namespace,
		}
		if r.name != "" {
			set.Name += ", release " + r.name
		}
		if all.names[set.Name] { // a release of the same name in another namespace, or of another environment
			set.Name += fmt.Sprintf(", number %d", len(all.Sets)+1)
		}
		all.names[set.Name] = true
		all.Sets = append(all.Sets, set)
		return
	}
	all.defaults[dir] = true
	if r.other != "" {
		all.Unread = append(all.Unread, objects.LeftOut{
			Position: lineOf(file, text, r.name, r.other+":"), Files: []string{dir},
			Reason: fmt.Sprintf("these values of %s were not read: the chart %s was checked without them", r.tool, dir),
		})
	}
}

func encodeValues(all []map[string]any) ([]render.ValuesFile, error) {
	var files []render.ValuesFile
	for _, values := range all {
		data, err := json.Marshal(values)
		if err != nil {
			return nil, err
		}
		files = append(files, render.ValuesFile{Name: "the values of the release", Data: data})
	}
	return files, nil
}

// hasTemplate reports whether a value contains a text with the mark of a template.
func hasTemplate(value any, mark string) bool {
	data, err := json.Marshal(value)
	return err != nil || strings.Contains(string(data), mark)
}

// fleetHelm are the fields of Fleet for a chart.
type fleetHelm struct {
	Chart       string         `json:"chart"`
	ReleaseName string         `json:"releaseName"`
	Values      map[string]any `json:"values"`
	ValuesFiles []any          `json:"valuesFiles"`
	ValuesFrom  []any          `json:"valuesFrom"`
}

// other returns the field with values that are not read, or "".
func (h fleetHelm) other() string {
	switch {
	case len(h.ValuesFiles) > 0:
		return "valuesFiles"
	case len(h.ValuesFrom) > 0:
		return "valuesFrom"
	case hasTemplate(h.Values, "${"):
		return "values"
	}
	return ""
}

// fleetReleases returns the local chart of a fleet.yaml with its values. Those of a target are not read.
func fleetReleases(_, text string) []valuedRelease {
	var config struct {
		Helm             *fleetHelm `json:"helm"`
		Namespace        string     `json:"namespace"`
		DefaultNamespace string     `json:"defaultNamespace"`
		Targets          []struct {
			Helm *fleetHelm `json:"helm"`
		} `json:"targetCustomizations"`
	}
	if yaml.Unmarshal([]byte(text), &config) != nil {
		return nil
	}
	helm := config.Helm
	if helm == nil {
		helm = &fleetHelm{}
	}
	local := helm.Chart == "" || strings.HasPrefix(helm.Chart, ".")
	v := valuedRelease{tool: "Fleet", name: helm.ReleaseName, namespace: config.Namespace, chart: helm.Chart, other: helm.other()}
	if v.namespace == "" {
		v.namespace = config.DefaultNamespace
	}
	if len(helm.Values) > 0 {
		v.values = append(v.values, helm.Values)
	}
	for _, target := range config.Targets {
		if target.Helm != nil && v.other == "" {
			v.other = "targetCustomizations"
		}
	}
	if !local || v.other == "" && len(v.values) == 0 {
		return nil
	}
	return []valuedRelease{v}
}

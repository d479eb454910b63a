package loader

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/objects"
)

// patchers returns the folders whose objects helmfile or Fleet patches before they are applied. salint does not apply these patches,
// so a change to the folders cannot be verified, and could make a patch fail.
func (a Assembly) patchers(rendered []*objects.Unit) []objects.LeftOut {
	if a.Files == nil {
		return nil
	}
	var all []objects.LeftOut
	var holds map[string]bool
	for _, name := range a.Names {
		find := patchesOf(name)
		if find == nil {
			continue
		}
		data, err := a.Files.ReadFile(name)
		if err != nil {
			continue // a file that cannot be read is reported where it is read
		}
		if holds == nil {
			holds = a.foldersWithObjects(rendered)
		}
		for _, found := range find(name, string(data)) {
			if slices.ContainsFunc(found.Files, func(dir string) bool { return holds[dir] }) {
				all = append(all, found)
			}
		}
	}
	return all
}

// patchesOf returns the function that finds the patches of a file, by the name of the file; nil if it can have none.
func patchesOf(name string) func(name, text string) []objects.LeftOut {
	switch base := path.Base(name); {
	case base == "fleet.yaml":
		return fleetOverlays
	case strings.HasPrefix(base, "helmfile"), path.Base(path.Dir(name)) == "helmfile.d":
		return helmfilePatches
	}
	return nil
}

// foldersWithObjects returns the folders of files and charts with objects in question, and all folders above them.
func (a Assembly) foldersWithObjects(rendered []*objects.Unit) map[string]bool {
	all := map[string]bool{}
	add := func(dir string) {
		for ; !all[dir]; dir = path.Dir(dir) {
			all[dir] = true
		}
	}
	for _, o := range a.Objects {
		add(path.Dir(o.File))
	}
	for _, u := range rendered {
		add(u.Root)
	}
	return all
}

// fleetOverlays returns the folder of a fleet.yaml with overlays: their files replace those of the folder, or patch them.
func fleetOverlays(name, text string) []objects.LeftOut {
	type settings struct {
		YAML struct {
			Overlays []string `json:"overlays"`
		} `json:"yaml"`
	}
	var config struct {
		settings
		Targets []settings `json:"targetCustomizations"`
	}
	if yaml.Unmarshal([]byte(text), &config) != nil {
		return nil
	}
	for _, s := range append(config.Targets, config.settings) {
		if len(s.YAML.Overlays) > 0 {
			return []objects.LeftOut{{
				Position: lineOf(name, text, "", "overlays:"), Files: []string{path.Dir(name)},
				Reason: fmt.Sprintf("Fleet's overlays are not supported: the files of %s were checked without them", path.Dir(name)),
			}}
		}
	}
	return nil
}

// patchFields are the fields of a helmfile release that change what its chart renders.
var patchFields = []string{"jsonPatches", "strategicMergePatches", "transformers"}

// release is a release of a helmfile.
type release map[string]any

func (r release) patched() bool {
	return slices.ContainsFunc(patchFields, func(field string) bool { return r[field] != nil })
}

// localChart is a field with a chart of the repository of a helmfile that cannot be parsed.
var localChart = regexp.MustCompile(`(?m)\bchart:\s*["']?(\.{1,2}/[^\s"',}]+)`)

// helmfilePatches returns the local charts of a helmfile's releases with patches.
func helmfilePatches(name, text string) []objects.LeftOut {
	if !slices.ContainsFunc(patchFields, func(field string) bool { return strings.Contains(text, field) }) {
		return nil
	}
	var found []objects.LeftOut
	for _, doc := range strings.Split(text, "\n---") {
		var config struct {
			Releases  []release          `json:"releases"`
			Templates map[string]release `json:"templates"`
		}
		if yaml.Unmarshal([]byte(doc), &config) != nil { // a template, so each chart in it may be patched
			for _, match := range localChart.FindAllStringSubmatch(doc, -1) {
				found = append(found, patchedChart(name, text, "", match[1]))
			}
			continue
		}
		inherited := false
		for _, t := range config.Templates {
			inherited = inherited || t.patched()
		}
		for _, r := range config.Releases {
			chart, _ := r["chart"].(string)
			if !strings.HasPrefix(chart, ".") || !r.patched() && (!inherited || r["inherit"] == nil) {
				continue
			}
			called, _ := r["name"].(string)
			found = append(found, patchedChart(name, text, called, chart))
		}
	}
	return found
}

func patchedChart(name, text, release, chart string) objects.LeftOut {
	dir := path.Join(path.Dir(name), chart)
	return objects.LeftOut{
		Position: lineOf(name, text, release, patchFields...), Files: []string{dir},
		Reason: fmt.Sprintf("patches of helmfile are not supported: the chart %s was checked as it renders without them", dir),
	}
}

// lineOf returns the first line with one of the words, if possible after the name of a release.
func lineOf(name, text, release string, words ...string) objects.Position {
	lines := strings.Split(text, "\n")
	from := 0
	if release != "" {
		from = max(0, slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "name: "+release) }))
	}
	hasWord := func(line string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) })
	}
	at := slices.IndexFunc(lines[from:], hasWord)
	if at < 0 {
		from, at = 0, max(0, slices.IndexFunc(lines, hasWord))
	}
	line := lines[from+at]
	return objects.Position{File: name, Line: from + at + 1, Column: len(line) - len(strings.TrimLeft(line, " -")) + 1}
}

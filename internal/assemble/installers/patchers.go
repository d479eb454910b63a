package installers

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// Patchers returns the folders whose objects helmfile or Fleet patches before they are applied, and the charts to which they pass
// values that were not read. salint does not apply these patches, so a change to the folders cannot be verified, and could make a
// patch fail.
func (r Inputs) Patchers(rendered []*objects.Unit, unread []objects.LeftOut) []applications.Tool {
	if r.Files == nil {
		return nil
	}
	var all []applications.Tool
	var holds map[string]bool
	add := func(found []objects.LeftOut) {
		if holds == nil {
			holds = r.foldersWithObjects(rendered)
		}
		for _, one := range found {
			one.Files = r.expanded(one.Files)
			if slices.ContainsFunc(one.Files, func(dir string) bool { return holds[dir] }) {
				all = append(all, applications.Tool{LeftOut: one, Concerned: r.concerned(one, rendered)})
			}
		}
	}
	if len(unread) > 0 {
		add(unread)
	}
	eachOfTools(r, patchesOf, func(_, _ string, found []objects.LeftOut) { add(found) })
	add(r.postRendered())
	return all
}

// expanded returns folders without patterns: each that contains * becomes the folders that it may mean.
func (r Inputs) expanded(folders []string) []string {
	var all []string
	for _, folder := range folders {
		all = append(all, r.chartsAt(".", folder)...)
	}
	return all
}

// eachOfTools visits what a finder finds in each file of helmfile and Fleet. finderOf returns the finder for the name of a file, or nil.
func eachOfTools[T any](r Inputs, finderOf func(name string) func(name, text string) []T, visit func(file, text string, found []T)) {
	files := r.toolFiles()
	included := r.includedHelmfiles(files)
	for name := range included {
		files = append(files, name)
	}
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		as := name
		if included[name] != "" {
			as = "helmfile.yaml" // whatever it is called
		}
		find := finderOf(as)
		if find == nil {
			continue
		}
		data, err := r.Files.ReadFile(name)
		if err != nil {
			continue // a file that cannot be read is reported where it is read
		}
		visit(name, string(data), find(name, string(data)))
	}
}

// patchesOf returns the function that finds the patches of a file, by the name of the file; nil if it can have none.
func patchesOf(name string) func(name, text string) []objects.LeftOut {
	switch {
	case isFleet(name):
		return fleetPatches
	case isHelmfile(name):
		return helmfilePatches
	}
	return nil
}

func isFleet(name string) bool { return path.Base(name) == "fleet.yaml" }

func isHelmfile(name string) bool {
	return strings.HasPrefix(path.Base(name), "helmfile") || path.Base(path.Dir(name)) == "helmfile.d"
}

// foldersWithObjects returns the folders of files and charts with objects in question, and all folders above them.
func (r Inputs) foldersWithObjects(rendered []*objects.Unit) map[string]bool {
	all := map[string]bool{}
	add := func(dir string) {
		for ; !all[dir]; dir = path.Dir(dir) {
			all[dir] = true
		}
	}
	for _, o := range r.Objects {
		add(path.Dir(o.File))
	}
	for _, u := range rendered {
		add(u.Root)
	}
	return all
}

// maxConcerned limits the extensions that a note names.
const maxConcerned = 3

// concerned names the extensions that a tool may change, as the end of a sentence; "" if there are none.
func (r Inputs) concerned(by objects.LeftOut, rendered []*objects.Unit) string {
	var names []string
	add := func(o *objects.Object) {
		name := o.Kind + " " + o.Name
		if _, is := olm.ReadExtension(o.Node); is && by.Covers(o.File) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, o := range r.Objects {
		add(o)
	}
	for _, u := range rendered {
		for _, o := range u.Objects {
			add(o)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	text := ". These can differ on the cluster: " + strings.Join(names[:min(len(names), maxConcerned)], ", ")
	if len(names) > maxConcerned {
		text += fmt.Sprintf(", and %d more", len(names)-maxConcerned)
	}
	return text
}

// WithoutFleetPatches returns the objects without those in patches of Fleet's overlays, which look like manifests: the files
// overlays/NAME/FILE_patch.yaml below the folder of a fleet.yaml.
func (r Inputs) WithoutFleetPatches() []*objects.Object {
	var overlays []string
	for _, name := range r.Names {
		if path.Base(name) == "fleet.yaml" {
			overlays = append(overlays, path.Join(path.Dir(name), "overlays")+"/")
		}
	}
	if len(overlays) == 0 {
		return r.Objects
	}
	return slices.DeleteFunc(slices.Clone(r.Objects), func(o *objects.Object) bool {
		return strings.Contains(path.Base(o.File), "_patch.") &&
			slices.ContainsFunc(overlays, func(dir string) bool { return strings.HasPrefix(o.File, dir) })
	})
}

// fleetPatches returns the folder of a fleet.yaml with overlays, whose files replace those of the folder or patch them, or with a
// kustomization that changes what a chart renders.
func fleetPatches(name, text string) []objects.LeftOut {
	dir := path.Dir(name)
	type settings struct {
		YAML struct {
			Overlays []string `json:"overlays"`
		} `json:"yaml"`
		Kustomize struct {
			Dir string `json:"dir"`
		} `json:"kustomize"`
		Helm *struct {
			Chart string `json:"chart"`
		} `json:"helm"`
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
				Position: lineOf(name, text, "", "overlays:"), Files: []string{dir},
				Reason: fmt.Sprintf("Fleet's overlays are not supported: the files of %s were checked without them", dir),
			}}
		}
		if s.Kustomize.Dir == "" || config.Helm == nil && s.Helm == nil {
			continue
		}
		charts := []string{dir}
		if config.Helm != nil && strings.HasPrefix(config.Helm.Chart, ".") {
			charts = append(charts, path.Join(dir, config.Helm.Chart))
		}
		return []objects.LeftOut{{
			Position: lineOf(name, text, "", "kustomize:"), Files: charts,
			Reason: "a kustomization that Fleet applies to a chart is not supported: the chart was checked as it renders without it",
		}}
	}
	return nil
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

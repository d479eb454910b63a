package states

import (
	"path"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// isFleet reports whether a file says how Fleet of Rancher deploys its folder.
//
// Source: https://fleet.rancher.io/ref-fleet-yaml.
func isFleet(file string) bool { return path.Base(file) == "fleet.yaml" }

// notReadOfFleet are its fields that decide what is applied, and that salint does not read. The values for a local chart are rendered.
var notReadOfFleet = []string{"targetCustomizations", "targets", "kustomize", "yaml", "overlays", "serviceAccount"}

// fleetIn returns what a fleet.yaml sets that is not read: for a chart that is elsewhere all, for the folder or a chart in it what notReadOfFleet names.
func fleetIn(state read, file string, text []byte) []fetcher {
	docs := manifest.Scan(file, text).Docs
	if len(docs) == 0 || docs[0].Parse() != nil {
		return nil
	}
	root, _ := docs[0].Root.Decode().(map[string]any)
	helm, _ := root["helm"].(map[string]any)
	f := fetcher{title: file, tool: "Rancher Fleet", adds: true, at: objects.PositionIn(docs[0], docs[0].Root.Span().Start)}
	for _, name := range notReadOfFleet {
		if value, is := root[name]; is {
			f.settings = append(f.settings, origin.Values(name, []byte(origin.TextOf(value)))...)
		}
	}
	if chart := jsonfield.Text(helm["chart"]); jsonfield.Text(helm["repo"]) != "" || strings.Contains(chart, "://") {
		f.adds = false
		f.take("helm.", helm, "")
	} else if from, is := helm["valuesFrom"]; is {
		f.take("helm.", map[string]any{"valuesFrom": from}, "")
	}
	for _, item := range jsonfield.List(helm["valuesFiles"]) {
		name := path.Join(path.Dir(file), jsonfield.Text(item))
		values, _ := state.Text(name) // what is not there sets nothing
		f.settings = append(f.settings, origin.Values("helm.valuesFiles", values)...)
	}
	f.sort()
	return []fetcher{f}
}

// changesValuesOf reports whether a file of values that a fleet.yaml names has changed.
func (c *contents) changesValuesOf(fleet string) bool {
	text, err := c.after.Text(fleet)
	if err != nil {
		return false
	}
	for file := range c.changed {
		if rest, below := strings.CutPrefix(file, path.Dir(fleet)+"/"); below && strings.Contains(string(text), rest) {
			return true
		}
	}
	return false
}

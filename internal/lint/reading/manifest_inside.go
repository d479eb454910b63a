package reading

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// objectNotes returns the notes about the manifests of extensions inside of an object that are not read.
func objectNotes(o *objects.Object, kinds []objects.EmbeddedKind) []finding.Finding {
	if at := uses.AccountSetter(o); at != nil {
		return []finding.Finding{noteAt(o.Doc, o.At(at), fmt.Sprintf(
			"%s of %s sets the service account of ClusterExtensions on the cluster, which was not checked: their manifests do not show it",
			at, describe(o)))}
	}
	read := objects.Embedded(o, kinds...)
	notes := insideNotes(o, read)
	for _, inside := range read {
		notes = append(notes, templateNotes(inside)...)
	}
	if at := textWithManifest(o, o.Node, nil); at != nil {
		notes = append(notes, noteAt(o.Doc, o.At(at), fmt.Sprintf(
			"the text in %s of %s has a manifest of a ClusterExtension with a service account, which was not checked: lint it as a separate file",
			at, describe(o))))
	}
	return notes
}

func noteAt(doc *manifest.Document, at manifest.Path, text string) finding.Finding {
	return finding.AboutFile(finding.RuleNotChecked, doc.File.Path, finding.RangeOf(doc, at), text)
}

// insideNotes returns a note for each manifest that is a mapping at a place of an object where salint reads none.
func insideNotes(o *objects.Object, read []*objects.Object) []finding.Finding {
	known := map[string]bool{}
	for _, inside := range read {
		known[inside.Path.String()] = true
	}
	var notes []finding.Finding
	findManifests(o.Node, nil, func(at manifest.Path, e olm.Extension) {
		if len(at) > 0 && !known[o.At(at).String()] && !isReadElsewhere(o, at) {
			notes = append(notes, noteAt(o.Doc, o.At(at), fmt.Sprintf("%s of %s has a manifest of %s with a service account, which was not checked: "+
				"lint it as a separate file, or add the kind to embedded in the configuration", at, describe(o), called(e.Name))))
		}
	})
	return notes
}

// findManifests calls found with each manifest of an extension with an account at a node or below it. What a ConfigurationPolicy demands to
// be absent is none, and neither are patches.
func findManifests(n *manifest.Node, at manifest.Path, found func(at manifest.Path, e olm.Extension)) {
	if e, ok := olm.ReadExtension(n); ok {
		if e.Account.State != olm.Absent {
			found(at, e)
		}
		return
	}
	if strings.EqualFold(n.Get("complianceType").String(), "mustnothave") {
		return
	}
	for _, field := range n.Fields() {
		if key := field.Key.String(); key != "patches" && key != "patchesStrategicMerge" {
			findManifests(field.Value, at.Join(key), found)
		}
	}
	for i, item := range n.Items() {
		findManifests(item, at.Join(strconv.Itoa(i)), found)
	}
}

// manifestNotes returns a note for each manifest below a node of a document that is no object: a program or a chart that salint does
// not know can apply it. Where describes the place.
func manifestNotes(doc *manifest.Document, n *manifest.Node, at manifest.Path, where string) []finding.Finding {
	var notes []finding.Finding
	findManifests(n, at, func(at manifest.Path, e olm.Extension) {
		if len(at) > 0 {
			notes = append(notes, noteAt(doc, at, fmt.Sprintf(
				"%s has a manifest of %s with a service account, %s, so it was not checked: lint it as a separate file", at, called(e.Name), where)))
		}
	})
	return notes
}

// remoteChartNotes returns a note for each manifest in valuesInline of a chart that is not in the repository, so that it is not rendered.
func remoteChartNotes(doc *manifest.Document, names []string) []finding.Finding {
	home := doc.Root.Lookup(manifest.Path{"helmGlobals", "chartHome"}).String()
	if home == "" {
		home = "charts"
	}
	folder := path.Join(path.Dir(doc.File.Path), home) + "/"
	var notes []finding.Finding
	for i, entry := range items(doc.Root.Get("helmCharts")) {
		chart := entry.Get("name").String()
		local := slices.ContainsFunc(names, func(name string) bool {
			return strings.HasPrefix(name, folder) && strings.HasSuffix(name, "/"+path.Join(chart, "Chart.yaml")) ||
				name == path.Join(folder, chart, "Chart.yaml")
		})
		values := entry.Get("valuesInline")
		if values == nil || local {
			continue
		}
		at := manifest.Path{"helmCharts", strconv.Itoa(i), "valuesInline"}
		notes = append(notes, manifestNotes(doc, values, at, "in the values of a chart that is not in the repository")...)
	}
	return notes
}

func items(n *manifest.Node) []*manifest.Node {
	if !n.IsSequence() {
		return nil
	}
	return n.Items()
}

// templateNotes returns a note about an extension inside of another object if a template of the controller hides whether it names an account.
func templateNotes(o *objects.Object) []finding.Finding {
	e, ok := olm.ReadExtension(o.Node)
	if !ok || e.Account.State != olm.Hidden {
		return nil
	}
	return []finding.Finding{noteAt(o.Doc, o.At(e.Account.Path[:1]), fmt.Sprintf(
		"%s of %s is a template, so its service account was not checked: write the fields, or check what is applied", e.Account.Path[:1], describe(o)))}
}

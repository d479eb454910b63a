package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// manifestTexts finds texts inside of objects that are manifests of extensions with an account: in a ConfigMap that something applies
// later, in object-templates-raw, in resourcesTemplate. They are not objects of the repository, so what is wrong in them is unknown.
type manifestTexts struct {
	mu   sync.Mutex
	docs []*manifest.Document
}

var textWords = [][]byte{[]byte(olm.ClusterExtensionKind), []byte("serviceAccount"), []byte("apiVersion")}

// inspect takes note of the documents of a file that may contain such a text. Several goroutines call it.
func (t *manifestTexts) inspect(f *manifest.File) {
	if objects.IsKustomizationFile(f.Path) || !containsAll(f.Data, textWords) {
		return
	}
	for _, doc := range f.Docs {
		if containsAll(doc.Bytes(), textWords) && !describesKinds(doc.Kind()) {
			t.mu.Lock()
			t.docs = append(t.docs, doc)
			t.mu.Unlock()
		}
	}
}

func containsAll(data []byte, words [][]byte) bool {
	return !slices.ContainsFunc(words, func(word []byte) bool { return !bytes.Contains(data, word) })
}

// describesKinds reports whether objects of a kind contain manifests as descriptions or examples, which nothing applies.
func describesKinds(kind string) bool {
	return kind == "CustomResourceDefinition" || kind == "ClusterServiceVersion"
}

// notes returns one note for each document with such a text, in any order. Templates of charts are rendered instead.
func (t *manifestTexts) notes(names []string) []finding.Finding {
	charts := objects.FindCharts(names)
	var notes []finding.Finding
	for _, doc := range t.docs {
		if _, template := charts.Template(doc.File.Path); template || doc.Parse() != nil {
			continue
		}
		for _, o := range objects.Objects(doc) {
			if path := textWithManifest(o, o.Node, nil); path != nil {
				at := rangeOf(doc, o.At(path))
				notes = append(notes, fileFinding(ruleNotChecked, doc.File.Path, at, fmt.Sprintf(
					"the text in %s of %s has a manifest of a ClusterExtension with a service account, which was not checked: lint it as a separate file",
					path, describe(o))))
				break
			}
		}
	}
	return notes
}

func describe(o *objects.Object) string {
	if o.Name == "" {
		return "this " + o.Kind
	}
	return o.Kind + " " + o.Name
}

// extensionManifest matches the kind of an extension in a manifest, in YAML or JSON.
var extensionManifest = regexp.MustCompile(`(?m)(^[ \t-]*|[{,]\s*)["']?kind["']?[ \t]*:[ \t]*["']?ClusterExtension\b`)

// textWithManifest returns the path of the first text with a manifest below a node, or nil.
func textWithManifest(o *objects.Object, n *manifest.Node, path manifest.Path) manifest.Path {
	if text := n.String(); text != "" {
		if containsAll([]byte(text), textWords) && extensionManifest.MatchString(text) && !isReadElsewhere(o, path) {
			return path
		}
		return nil
	}
	for _, field := range n.Fields {
		if found := textWithManifest(o, field.Value, path.Join(field.Key.String())); found != nil {
			return found
		}
	}
	for i, item := range n.Items {
		if found := textWithManifest(o, item, path.Join(strconv.Itoa(i))); found != nil {
			return found
		}
	}
	return nil
}

// isReadElsewhere reports whether a text is no manifest that is applied, or one that is read in another way: a patch of an application,
// the values of a chart that salint may render, or the copy that kubectl keeps in an annotation.
func isReadElsewhere(o *objects.Object, path manifest.Path) bool {
	has := func(steps ...string) bool {
		return slices.ContainsFunc(path, func(step string) bool { return slices.Contains(steps, step) })
	}
	switch {
	case has("annotations", "description"):
		return true
	case !slices.Contains(applying, o.Kind) && o.Kind != "HelmRelease":
		return false
	}
	return has("patch", "patches", "patchesStrategicMerge", "patchesJson6902", "postRenderers") ||
		has("values", "valuesObject") && !takesRemoteChart(o)
}

// takesRemoteChart reports whether an application takes its chart from a chart repository, so that it is not rendered.
func takesRemoteChart(o *objects.Object) bool {
	if o.Kind == "HelmRelease" {
		kind := o.Node.Lookup(manifest.Path{"spec", "chart", "spec", "sourceRef", "kind"}).String()
		return kind == "HelmRepository" || o.Node.Lookup(manifest.Path{"spec", "chartRef"}) != nil
	}
	return bytes.Contains(o.Doc.Bytes(), []byte("chart:"))
}

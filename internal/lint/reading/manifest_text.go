package reading

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/olm"
)

// manifestTexts finds texts that are manifests of extensions with an account: in a ConfigMap that something applies later, in
// object-templates-raw, in resourcesTemplate, and in heredocs of scripts and pipelines. They are not objects of the repository, so what
// is wrong in them is unknown.
type manifestTexts struct {
	mu   sync.Mutex
	docs []*manifest.Document
	// scripts are the files that are no manifests, with all they contain.
	scripts []repo.File
}

var textWords = [][]byte{[]byte(olm.ClusterExtensionKind), []byte("serviceAccount"), []byte("apiVersion")}

// hiddenWords are in each ConfigurationPolicy with an extension whose fields a template can hide.
var hiddenWords = [][]byte{[]byte(olm.ClusterExtensionKind), []byte("objectDefinition"), []byte("{{")}

func mayHaveManifest(data []byte) bool {
	return containsAll(data, textWords) || containsAll(data, hiddenWords)
}

// inspect takes note of the documents of a file that may contain such a text. Several goroutines call it.
func (t *manifestTexts) inspect(f *manifest.File) {
	if !mayHaveManifest(f.Data) {
		return
	}
	for _, doc := range f.Docs {
		if mayHaveManifest(doc.Bytes()) && !describesKinds(doc.Kind()) {
			t.mu.Lock()
			t.docs = append(t.docs, doc)
			t.mu.Unlock()
		}
	}
}

// inspectScript takes note of a file that is no manifest and may contain such a text. Several goroutines call it.
func (t *manifestTexts) inspectScript(f repo.File) {
	if !containsAll(f.Data, textWords) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scripts = append(t.scripts, f)
}

func containsAll(data []byte, words [][]byte) bool {
	return !slices.ContainsFunc(words, func(word []byte) bool { return !bytes.Contains(data, word) })
}

// describesKinds reports whether objects of a kind contain manifests as descriptions or examples, which nothing applies.
func describesKinds(kind string) bool {
	return kind == "CustomResourceDefinition" || kind == "ClusterServiceVersion"
}

// notes returns one note for each object with such a text, and one for each manifest in another file, in any order. Templates of charts
// are rendered instead, and so are the values of rendered charts. Kinds are those that the configuration adds to the kinds with manifests.
func (t *manifestTexts) notes(names []string, rendered map[string]bool, kinds []objects.EmbeddedKind) []finding.Finding {
	tree := assembly.FindCharts(names)
	var notes []finding.Finding
	for _, f := range t.scripts {
		if _, template := tree.Template(f.Path); !template {
			notes = append(notes, textNotes(&manifest.File{Path: f.Path, Data: f.Data}, manifest.Span{End: len(f.Data)})...)
		}
	}
	for _, doc := range t.docs {
		if _, template := tree.Template(doc.File.Path); template || rendered[doc.File.Path] || doc.Parse() != nil {
			continue
		}
		if objects.IsKustomizationFile(doc.File.Path) {
			notes = append(notes, remoteChartNotes(doc, names)...)
			continue
		}
		found := objects.Objects(doc)
		if len(found) == 0 { // a workflow, a playbook, or values
			notes = append(notes, textNotes(doc.File, doc.Span)...)
			notes = append(notes, manifestNotes(doc, doc.Root, nil, "in a file that is not a manifest")...)
		}
		for _, o := range found {
			notes = append(notes, objectNotes(o, kinds)...)
		}
	}
	return notes
}

// textNotes returns a note for each manifest in a part of a file that is a text.
func textNotes(file *manifest.File, part manifest.Span) []finding.Finding {
	var notes []finding.Finding
	for _, m := range uses.TextManifests(file.Path, file.Data[part.Start:part.End], olm.ClusterExtensionKind) {
		if !containsAll(m.Text, textWords) {
			continue
		}
		at := manifest.Span{Start: min(part.Start+m.Span.Start, len(file.Data)), End: min(part.Start+m.Span.End, len(file.Data))}
		notes = append(notes, finding.AboutFile(finding.RuleNotChecked, file.Path, finding.RangeIn(file, at), fmt.Sprintf(
			"the text has a manifest of %s with a service account, which was not checked: lint it as a separate file", called(m.Name))))
	}
	return notes
}

// called names an extension in a note.
func called(name string) string {
	if name == "" {
		return "a " + olm.ClusterExtensionKind
	}
	return olm.ClusterExtensionKind + " " + name
}

// renderedValues are the files with values of the charts that are rendered.
func renderedValues(units []*objects.Unit) map[string]bool {
	files := map[string]bool{}
	for _, unit := range units {
		for _, o := range unit.Objects {
			if made := charts.Of(o); made != nil {
				for _, file := range made.Rendered.ValuesFiles() {
					files[file] = true
				}
			}
		}
	}
	return files
}

func describe(o *objects.Object) string {
	if o.Name == "" {
		return "this " + o.Kind
	}
	return o.Kind + " " + o.Name
}

// extensionManifest matches the kind of an extension in a manifest, in YAML or JSON.
var extensionManifest = lazyregexp.New(`(?m)(^[ \t-]*|[{,]\s*)["']?kind["']?[ \t]*:[ \t]*["']?ClusterExtension\b`)

// textWithManifest returns the path of the first text with a manifest below a node, or nil.
func textWithManifest(o *objects.Object, n *manifest.Node, path manifest.Path) manifest.Path {
	if text := n.String(); text != "" {
		if containsAll([]byte(text), textWords) && extensionManifest().MatchString(text) && !isReadElsewhere(o, path) {
			return path
		}
		return nil
	}
	for _, field := range n.Fields() {
		if found := textWithManifest(o, field.Value, path.Join(field.Key.String())); found != nil {
			return found
		}
	}
	for i, item := range n.Items() {
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
		return objects.TakesRemoteChart(o.Node)
	}
	return bytes.Contains(o.Doc.Bytes(), []byte("chart:"))
}

package render

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
)

// originAnnotation is kustomize's annotation for the file of an object (api/internal/utils).
const originAnnotation = "config.kubernetes.io/origin"

// origins converts kustomize's annotations to origins in the tree.
type origins struct {
	build *kustomizeBuild
	files map[string][]*objects.Object
}

func newOrigins(b *kustomizeBuild) *origins {
	return &origins{build: b, files: map[string][]*objects.Object{}}
}

// take reads the annotation, and removes it from the object unless the user configured it.
func (o *origins) take(object map[string]any) rendered.Origin {
	origin := rendered.Origin{Kustomization: o.build.dir, File: o.build.root}
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, _ := annotations[originAnnotation].(string)
	if !o.build.keepOrigins {
		delete(annotations, originAnnotation)
		if annotations != nil && len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	if number, ok := annotations[chartMark].(string); ok {
		delete(annotations, chartMark)
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(o.build.fromCharts) {
			return o.build.fromCharts[i]
		}
	}
	said := readAnnotation(text)
	switch {
	case said.Path != "":
		origin.File = o.real(said.Path)
		if !o.build.noLines {
			origin.Line = o.line(origin.File, object)
		}
	case said.ConfiguredIn != "":
		origin.File = o.real(said.ConfiguredIn)
	}
	return origin
}

// annotation is what kustomize writes into its annotation.
type annotation struct{ Path, ConfiguredIn string }

// plainPath matches the text of nearly all annotations. A name that ends like this is always a string in YAML.
var plainPath = regexp.MustCompile(`^path: ([\w./-]*\w\.(?:yaml|yml|json))\n$`)

// readAnnotation returns nothing for a text that is not of kustomize.
func readAnnotation(text string) annotation {
	if plain := plainPath.FindStringSubmatch(text); plain != nil && !strings.HasPrefix(plain[1], "-") {
		return annotation{Path: plain[1]}
	}
	var said annotation
	if yaml.Unmarshal([]byte(text), &said) != nil {
		return annotation{}
	}
	return said
}

// real returns the file at a path relative to the built folder.
func (o *origins) real(name string) string {
	name = path.Join(o.build.dir, name)
	if real, err := Resolve(o.build.files, name); err == nil {
		return real
	}
	return name
}

// line returns the line of an object in its file: the only one of its kind, or the only one whose name is part of the built
// name, which can have a prefix and suffix. It is 0 if there is none.
func (o *origins) line(file string, object map[string]any) int {
	kind, _ := object["kind"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	var ofKind, ofName []*objects.Object
	for _, candidate := range o.objects(file) {
		if candidate.Kind != kind {
			continue
		}
		ofKind = append(ofKind, candidate)
		if candidate.Name != "" && strings.Contains(name, candidate.Name) {
			ofName = append(ofName, candidate)
		}
	}
	for _, found := range [][]*objects.Object{ofKind, ofName} {
		if len(found) == 1 {
			return found[0].Position(nil).Line
		}
	}
	return 0
}

func (o *origins) objects(file string) []*objects.Object {
	if known, ok := o.files[file]; ok {
		return known
	}
	data, err := o.build.files.ReadFile(file)
	var objs []*objects.Object
	if err == nil {
		for _, doc := range manifest.Scan(file, data).Docs {
			if doc.Parse() == nil {
				objs = append(objs, objects.Objects(doc)...)
			}
		}
	}
	o.files[file] = objs
	return objs
}

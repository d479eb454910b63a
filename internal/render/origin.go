package render

import (
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
)

// originAnnotation is where kustomize says what an object was read from (api/internal/utils).
const originAnnotation = "config.kubernetes.io/origin"

// origins turns kustomize's annotations into places in the tree.
type origins struct {
	build *build
	files map[string][]*objects.Object
}

func newOrigins(b *build) *origins {
	return &origins{build: b, files: map[string][]*objects.Object{}}
}

// take reads the annotation, and removes it from the object unless the user asked for it.
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
	var said struct{ Path, ConfiguredIn string }
	if yaml.Unmarshal([]byte(text), &said) != nil {
		return origin
	}
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

// real gives the file that a path from the folder that was built leads to.
func (o *origins) real(name string) string {
	name = path.Join(o.build.dir, name)
	if real, err := resolve(o.build.files, name); err == nil {
		return real
	}
	return name
}

// line finds an object in its file: the only one of its kind, or the only one whose name is in the name it has now, which
// may have got a prefix and a suffix. It is 0 when there is no such one.
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

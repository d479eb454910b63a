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

// generatorMark is the annotation that records the kustomization that generates an object, if kustomize does not record origins. Kustomize
// keeps annotations with this prefix when a patch replaces the others, and does not hash annotations.
const generatorMark = "internal.config.kubernetes.io/salint-generator"

// markGenerators makes the generators of a kustomization annotate their objects with its name, unless something is not as the documentation
// of kustomize has it.
func markGenerators(name string, fields map[string]any) (changed bool) {
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list, _ := fields[field].([]any)
		for _, item := range list {
			generator, isMapping := item.(map[string]any)
			options := mappingIn(generator, "options")
			annotations := mappingIn(options, "annotations")
			if !isMapping || annotations == nil {
				continue
			}
			annotations[generatorMark] = name
			options["annotations"], generator["options"] = annotations, options
			changed = true
		}
	}
	return changed
}

// mappingIn returns a mapping in a mapping, which is empty if there is none; nil if there is something else, or a key in other capitals, which
// kustomize reads as well.
func mappingIn(fields map[string]any, key string) map[string]any {
	for other := range fields {
		if other != key && strings.EqualFold(other, key) {
			return nil
		}
	}
	below, isMapping := fields[key].(map[string]any)
	if fields == nil || fields[key] != nil && !isMapping {
		return nil
	}
	if below == nil {
		below = map[string]any{}
	}
	return below
}

// origins converts kustomize's annotations to origins in the tree.
type origins struct {
	build *kustomizeBuild
	files map[string][]*objects.Object
}

func newOrigins(b *kustomizeBuild) *origins {
	return &origins{build: b, files: map[string][]*objects.Object{}}
}

// take reads the annotation or the marks, and removes them from the object, but for an annotation that the user configured. Without the
// annotation, the file is "" for objects of files.
func (o *origins) take(object map[string]any) rendered.Origin {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	text, annotated := annotations[originAnnotation].(string)
	generator, generated := annotations[generatorMark].(string)
	number, ofChart := annotations[chartMark].(string)
	delete(annotations, generatorMark)
	delete(annotations, chartMark)
	if !o.build.keepOrigins && !o.build.noFiles {
		delete(annotations, originAnnotation)
	}
	if len(annotations) == 0 && (annotated || generated || ofChart) {
		delete(metadata, "annotations")
	}
	if i, err := strconv.Atoi(number); ofChart && err == nil && i >= 0 && i < len(o.build.fromCharts) {
		return o.build.fromCharts[i]
	}
	origin := rendered.Origin{Kustomization: o.build.dir, File: generator, Generated: generated}
	if o.build.noFiles {
		return origin
	}
	origin.File = o.build.root
	said := readAnnotation(text)
	switch {
	case said.Path != "":
		origin.File = o.real(said.Path)
		if !o.build.noLines {
			origin.Line = o.line(origin.File, object)
		}
	case said.ConfiguredIn != "":
		origin.File, origin.Generated = o.real(said.ConfiguredIn), true
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

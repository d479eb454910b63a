package process

import (
	"encoding/json"
	"errors"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"
)

// Kustomize compares every object with every other one, so a folder with ten times the objects takes a hundred times as long. If its
// kustomizations only change objects one by one, and rename references, it is built in parts: no object of a part has a text that is
// a name of an object in another part, so no reference leads there. Together, the parts have the objects of the whole build.

// sizes are the number of documents from which on a folder is built in parts, and the number in each of them unless more belong together.
type sizes struct{ minimum, part int }

var usualSizes = sizes{minimum: 150, part: 60}

// maxRenames limits the kustomizations above a file that rename its objects, because each makes several names of each.
const maxRenames = 3

// dividableFields are the fields of kustomizations that can be built in parts. All others look at several objects, read other files,
// or fail depending on which objects there are.
var dividableFields = []string{
	"apiVersion", "kind", "metadata", "resources", "namePrefix", "nameSuffix", "namespace", "labels", "commonLabels", "commonAnnotations",
	"images", "buildMetadata",
}

// division is a folder with its kustomizations and the files that they list.
type division struct {
	files *files
	// kustomizations are the fields of all kustomizations by file, and entries what they list.
	kustomizations map[string]map[string]any
	entries        map[string][]entry
	open           map[string]bool
	// listed are the files with objects, each once, in the order in which kustomize reads them.
	listed []*listed
	byPath map[string]*listed
	// texts are the values that kustomizations add to objects.
	texts map[string]bool
	// namespaced is set if a kustomization sets a namespace, and hasNamespace if an object is one: other objects refer to it then
	// without naming it.
	namespaced, hasNamespace bool
}

// entry is an item of the resources of a kustomization: the kustomization of a folder, or a file.
type entry struct {
	text                string
	kustomization, file string
}

// buildFolder builds a folder, in parts if it is large. Only kustomize itself knows which files it reads, and in which order, so it begins with
// the whole folder, and stops when it has read many documents: what a small build reads, and why it fails, does not depend on parts.
func buildFolder(f *files, options *krusty.Options, dir string, size sizes) ([]*resource.Resource, error) {
	counting := &countingFiles{files: f, left: size.minimum}
	built, err := krusty.MakeKustomizer(options).Run(counting, dir)
	if counting.left <= 0 {
		if objects, ok := divide(f, options, dir, size); ok {
			return objects, nil
		}
		built, err = krusty.MakeKustomizer(options).Run(f, dir)
	}
	if err != nil {
		return nil, err
	}
	return built.Resources(), nil
}

// countingFiles stop a build that reads many documents.
type countingFiles struct {
	*files
	left int
}

var errManyDocuments = errors.New("the folder has many documents")

// ReadFile returns the content of a file.
func (c *countingFiles) ReadFile(name string) ([]byte, error) {
	if c.left <= 0 {
		return nil, errManyDocuments
	}
	data, err := c.files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if c.left -= documentsIn(data); c.left <= 0 {
		return nil, errManyDocuments
	}
	return data, nil
}

// divide builds a folder in parts. It is false if the folder has to be built as a whole, also in order to know an error.
func divide(f *files, options *krusty.Options, dir string, size sizes) (built []*resource.Resource, ok bool) {
	defer func() {
		// The library can panic on odd input. The whole build then decides what the input is worth.
		if recover() != nil {
			built, ok = nil, false
		}
	}()
	d := &division{
		files: f, kustomizations: map[string]map[string]any{}, entries: map[string][]entry{}, open: map[string]bool{}, byPath: map[string]*listed{}, texts: map[string]bool{},
	}
	root, ok := d.read(dir, nil)
	if !ok || d.documents() < size.minimum || !d.parse() || d.namespaced && d.hasNamespace {
		return nil, false
	}
	parts := d.parts(size)
	if len(parts) < 2 {
		return nil, false
	}
	for _, part := range parts {
		view := &partOfFiles{files: f, replaced: map[string][]byte{}}
		if _, ok := d.reduce(root, part, view.replaced); !ok {
			return nil, false
		}
		objects, err := krusty.MakeKustomizer(options).Run(view, dir)
		if err != nil {
			return nil, false
		}
		built = append(built, objects.Resources()...)
	}
	sortAsKustomize(built)
	return built, true
}

// read reads the kustomization of a folder and all that it lists. The renames are those of the kustomizations that list it, the nearest
// last. It returns the file of the kustomization.
func (d *division) read(dir string, above []rename) (file string, ok bool) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if candidate := path.Join(dir, name); d.files.Exists(candidate) {
			if file != "" {
				return "", false
			}
			file = candidate
		}
	}
	if file == "" || d.open[file] {
		return "", false
	}
	d.open[file] = true
	defer delete(d.open, file)
	data, err := d.files.ReadFile(file)
	if err != nil {
		return "", false
	}
	var fields map[string]any
	if yaml.Unmarshal(data, &fields) != nil || !isDividable(fields) {
		return "", false
	}
	prefix, _ := fields["namePrefix"].(string)
	suffix, _ := fields["nameSuffix"].(string)
	d.namespaced = d.namespaced || fields["namespace"] != nil
	d.kustomizations[file] = fields
	resources, _ := fields["resources"].([]any)
	renames := slices.Clone(above)
	if prefix != "" || suffix != "" {
		renames = append(renames, rename{prefix, suffix})
	}
	if len(resources) == 0 || len(renames) > maxRenames {
		return "", false
	}
	d.addTexts(fields)
	entries := make([]entry, 0, len(resources))
	for _, item := range resources {
		e, ok := d.readEntry(dir, item, renames)
		if !ok {
			return "", false
		}
		entries = append(entries, e)
	}
	d.entries[file] = entries
	return file, true
}

// addTexts adds the values in a kustomization, without its list of resources.
func (d *division) addTexts(value any) {
	switch value := value.(type) {
	case string:
		d.texts[value] = true
	case []any:
		for _, item := range value {
			d.addTexts(item)
		}
	case map[string]any:
		for name, field := range value {
			if name != "resources" {
				d.addTexts(field)
			}
		}
	}
}

// readEntry reads an item of resources.
func (d *division) readEntry(dir string, item any, renames []rename) (e entry, ok bool) {
	if e.text, ok = item.(string); !ok {
		return e, false
	}
	target := path.Join(dir, e.text)
	if d.files.IsDir(target) {
		real, _, err := d.files.CleanedAbs(target)
		if err != nil {
			return e, false
		}
		e.kustomization, ok = d.read(string(real), renames)
		return e, ok
	}
	e.file = target
	return e, d.list(target, renames)
}

// isDividable reports whether a kustomization has only fields that allow parts.
func isDividable(fields map[string]any) bool {
	for name, value := range fields {
		if !slices.Contains(dividableFields, name) || name == "kind" && value != "Kustomization" {
			return false
		}
	}
	return true
}

// reduce adds the kustomization in a file, and those that it lists, without what is not in a part. It is false for isEmpty if nothing
// is left of it, and not ok if a kustomization cannot be written.
func (d *division) reduce(file string, part map[string]bool, into map[string][]byte) (isEmpty, ok bool) {
	var kept []string
	for _, e := range d.entries[file] {
		if e.file != "" {
			if part[e.file] {
				kept = append(kept, e.text)
			}
			continue
		}
		empty, ok := d.reduce(e.kustomization, part, into)
		if !ok {
			return false, false
		}
		if !empty {
			kept = append(kept, e.text)
		}
	}
	fields := make(map[string]any, len(d.kustomizations[file]))
	for name, value := range d.kustomizations[file] {
		fields[name] = value
	}
	fields["resources"] = kept
	data, err := json.Marshal(fields)
	if err != nil {
		return false, false
	}
	into[file] = data
	return len(kept) == 0, true
}

// partOfFiles are files in which some have another content.
type partOfFiles struct {
	*files
	replaced map[string][]byte
}

// ReadFile returns the content of a file.
func (p *partOfFiles) ReadFile(name string) ([]byte, error) {
	if data, ok := p.replaced[path.Clean(name)]; ok {
		return slices.Clone(data), nil
	}
	return p.files.ReadFile(name)
}

package objects

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Kustomization is what a kustomization file says about which files are applied together, and how they are changed on
// the way.
type Kustomization struct {
	// Path is the file, Dir its folder: "." at the root of the repository.
	Path, Dir string
	// Resources are what `resources`, `bases` and `components` list, in the order of the file.
	Resources []Entry
	// NonObjectInputs are the files it reads without applying them as objects: patches, transformers, values and their like.
	NonObjectInputs []NonObjectInput
	// Transforms are the fields for which the objects, as applied, are not those in the files.
	Transforms []Transform
	// Problems are entries that mean nothing, such as a mapping in `resources`.
	Problems []Problem
	Doc      *manifest.Document
}

// Entry is an item of a list of files or folders.
type Entry struct {
	// Field is the list: resources, bases or components.
	Field string
	// Value is the item as written; Target the same from the root of the repository, which begins with "../" when it
	// lies outside.
	Value, Target string
	// Path leads to the item inside the document, for the editor.
	Path     manifest.Path
	Position Position
}

// NonObjectInput is a file, or a folder, that a kustomization reads as something else than a list of objects. What is built changes
// with it, and fails without it.
type NonObjectInput struct {
	File  string
	Field string
	// Path leads to the item of the field that names it.
	Path     manifest.Path
	Position Position
}

// Covers tells whether a file is what is claimed, or lies in the folder that is.
func (c NonObjectInput) Covers(file string) bool {
	return file == c.File || strings.HasPrefix(file, c.File+"/")
}

// Content tells whether the file's text goes into a generated object or a schema. Its objects, if it has any, may be
// applied besides.
func (c NonObjectInput) Content() bool { return contentFields[c.Field] }

// Transform is a field of a kustomization that may change names or objects of the kinds salint judges.
type Transform struct {
	Field string
	// Value is the value of namePrefix, nameSuffix and namespace; "" for fields that are no scalars.
	Value    string
	Position Position
}

// String says which field it is and where, for the reason of a refusal.
func (t Transform) String() string {
	return fmt.Sprintf("%s at %s:%d", t.Field, t.Position.File, t.Position.Line)
}

// Problem is something about how a unit is put together that could not be followed.
type Problem struct {
	Position Position
	Message  string
}

// kustomizationNames are the file names that kustomize looks for, in its order.
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

const (
	kustomizeGroup    = "kustomize.config.k8s.io"
	kindKustomization = "Kustomization"
	kindComponent     = "Component"
)

// IsKustomizationFile tells whether kustomize would take a file of this name for a kustomization.
func IsKustomizationFile(file string) bool {
	return slices.Contains(kustomizationNames, path.Base(file))
}

// ReadKustomization reads a document of a kustomization file. Kind and apiVersion may be missing, as for kustomize
// itself; a document that says it is something else, such as Flux's Kustomization, is an error with its position.
func ReadKustomization(doc *manifest.Document) (*Kustomization, error) {
	file := doc.File.Path
	if !doc.Root.IsMapping() {
		return nil, fmt.Errorf("%s: a kustomization is a mapping of fields", positionIn(doc, doc.Span.Start))
	}
	if err := checkKustomizationType(doc); err != nil {
		return nil, err
	}
	k := &Kustomization{Path: file, Dir: path.Dir(file), Doc: doc}
	for _, field := range doc.Root.Fields {
		k.readField(field)
	}
	return k, nil
}

// IsComponent tells whether the file is one of kustomize's components, which are built as a part of others only.
func (k *Kustomization) IsComponent() bool {
	return anyCase(k.Doc.Root, "kind").String() == kindComponent
}

func checkKustomizationType(doc *manifest.Document) error {
	kind, apiVersion := anyCase(doc.Root, "kind"), anyCase(doc.Root, "apiVersion")
	group, _ := SplitAPIVersion(apiVersion.String())
	if name := kind.String(); name != "" && name != kindKustomization && name != kindComponent {
		return fmt.Errorf("%s: kind is %q, which kustomize does not take for a kustomization: use %s or %s, or another file name",
			positionIn(doc, kind.Span.Start), name, kindKustomization, kindComponent)
	}
	if apiVersion.String() != "" && group != kustomizeGroup {
		return fmt.Errorf("%s: apiVersion is %q, which kustomize does not take for a kustomization: use %s/v1beta1, or another file name",
			positionIn(doc, apiVersion.Span.Start), apiVersion.String(), kustomizeGroup)
	}
	return nil
}

func (k *Kustomization) readField(field manifest.Field) {
	name := fieldName(field.Key.String())
	use, known := kustomizationFields[name]
	if !known {
		// What a field of another version of kustomize does is not guessed.
		use = transforms
	}
	if isEmpty(field.Value) {
		return
	}
	if use == lists || name == "components" {
		k.readEntries(name, field)
	}
	if use == transforms || name == "labels" && labelsReachFurther(field.Value) {
		k.Transforms = append(k.Transforms, Transform{name, field.Value.String(), k.position(field.Key)})
	}
	k.claim(name, field)
}

// isEmpty tells whether a field is there without saying anything: null, "", [] or {}.
func isEmpty(n *manifest.Node) bool {
	switch value := n.Decode().(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

func (k *Kustomization) readEntries(field string, written manifest.Field) {
	value := written.Value
	if !value.IsSequence() {
		k.problem(value, "%s is not a list", field)
		return
	}
	for i, item := range items(value) {
		if item.String() == "" {
			k.problem(item, "%s has an item that is not the name of a file or folder", field)
			continue
		}
		k.Resources = append(k.Resources, Entry{
			Field: field, Value: item.String(), Target: k.resolve(item.String()),
			Path: manifest.Path{written.Key.String(), strconv.Itoa(i)}, Position: k.position(item),
		})
	}
}

// resolve turns a path relative to the kustomization into one relative to the repository.
func (k *Kustomization) resolve(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(k.Dir, name)
}

func (k *Kustomization) position(n *manifest.Node) Position { return positionIn(k.Doc, n.Span.Start) }

func (k *Kustomization) problem(n *manifest.Node, format string, args ...any) {
	k.Problems = append(k.Problems, Problem{k.position(n), fmt.Sprintf(format, args...)})
}

// Lists finds the entry for a file or folder of the repository.
func (k *Kustomization) Lists(target string) (Entry, bool) {
	i := slices.IndexFunc(k.Resources, func(e Entry) bool { return e.Target == target })
	if i < 0 {
		return Entry{}, false
	}
	return k.Resources[i], true
}

// Remote tells whether the entry is written like something kustomize fetches: a URL, or a git repository in one of the
// forms that kustomize knows. A file or folder of that name in the repository comes first.
func (e Entry) Remote() bool {
	value := strings.TrimPrefix(e.Value, "git::")
	host, rest, _ := strings.Cut(value, "/")
	_, query, _ := strings.Cut(value, "?")
	switch {
	case value != e.Value, strings.Contains(value, "://"):
		return true
	case strings.HasPrefix(value, "github.com/"), strings.HasPrefix(value, "gh:"):
		return true
	case strings.Contains(host, "@") && strings.Contains(host, ":"):
		return true // git@host:organisation/repository
	}
	return strings.Trim(host, ".") != "" && strings.Contains(host, ".") && rest != "" &&
		(strings.Contains(query, "ref=") || strings.Contains(query, "version="))
}

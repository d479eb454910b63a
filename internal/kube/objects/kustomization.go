package objects

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// Kustomization is the content of a kustomization file: which files are applied together, and how their objects are
// changed.
type Kustomization struct {
	// Path is the file, Dir its folder: "." at the root of the repository.
	Path, Dir string
	// Resources are the entries of `resources`, `bases`, and `components`, in the order of the file.
	Resources []Entry
	// NonObjectInputs are the files that it reads without applying them as objects: patches, transformers, values, and similar
	// files.
	NonObjectInputs []NonObjectInput
	// Transforms are the fields that make the applied objects differ from those in the files.
	Transforms []Transform
	// Problems are invalid entries, such as a mapping in `resources`.
	Problems []Problem
	// LeftOut are entries that salint does not build, and Renderings the charts that `helmCharts` renders. Both are known after
	// package loader has read the files that they name.
	LeftOut    []LeftOut
	Renderings []Rendering
	Doc        *manifest.Document

	// local are the edits that replace addresses by the folders of the tree that stand for them.
	local []manifest.Edit
}

// Entry is an item of a list of files or folders.
type Entry struct {
	// Field is the list: resources, bases, or components.
	Field string
	// Value is the item as written; Target is its path relative to the root of the repository, which begins with "../" if
	// it is outside.
	Value, Target string
	// Through is the path that is written, if a symbolic link in it leads to the target.
	Through string
	// Fetched is set if the target is what kustomize fetches by the address in Value.
	Fetched bool
	// Path leads to the item inside the document, for the editor.
	Path     manifest.Path
	Position Position
}

// NonObjectInput is a file or folder that a kustomization reads as something other than a list of objects. The result of the build
// depends on it, and the build fails without it.
type NonObjectInput struct {
	File  string
	Field string
	// Path leads to the item of the field that names it.
	Path     manifest.Path
	Position Position
}

// Covers reports whether a file is the claimed file, or is in the claimed folder.
func (c NonObjectInput) Covers(file string) bool {
	return inside(c.File, file)
}

// Content reports whether the file's text goes into a generated object or a schema. If it contains objects, they can be
// applied in addition.
func (c NonObjectInput) Content() bool { return contentFields[c.Field] }

// Transform is a field of a kustomization that can change names, or objects of the kinds that salint checks.
type Transform struct {
	Field string
	// Value is the value of namePrefix, nameSuffix, and namespace; "" for fields that are not scalars.
	Value    string
	Position Position
}

// String returns the field and its position, for the reason of a refusal.
func (t Transform) String() string {
	return fmt.Sprintf("%s at %s:%d", t.Field, t.Position.File, t.Position.Line)
}

// Problem is a part of a unit that could not be resolved.
type Problem struct {
	Position Position
	Message  string
	// Refusal is why kustomize or Helm refuses to build the unit, in any version and wherever it runs; "" for another problem.
	Refusal string
	// NotDelivered is set if what applies the unit certainly fails for this reason, so that nothing of the unit is applied.
	NotDelivered bool
}

// kustomizationNames are the file names that kustomize looks for, in its order.
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// KustomizationNames returns the names of the files that kustomize reads as kustomizations, in its order.
func KustomizationNames() []string { return slices.Clone(kustomizationNames) }

// KustomizeGroup is the group of kustomizations.
const KustomizeGroup = "kustomize.config.k8s.io"

const (
	kindKustomization = "Kustomization"
	kindComponent     = "Component"
)

// IsKustomizationFile reports whether kustomize reads a file of this name as a kustomization.
func IsKustomizationFile(file string) bool {
	return slices.Contains(kustomizationNames, path.Base(file))
}

// ReadKustomization reads a document of a kustomization file. Kind and apiVersion can be missing, as for kustomize itself.
// For a document with another type, such as Flux's Kustomization, it returns an error with its position.
func ReadKustomization(doc *manifest.Document) (*Kustomization, error) {
	file := doc.File.Path
	if !doc.Root.IsMapping() {
		return nil, fmt.Errorf("%s: a kustomization must be a mapping", PositionIn(doc, doc.Span.Start))
	}
	if err := checkKustomizationType(doc); err != nil {
		return nil, err
	}
	k := &Kustomization{Path: file, Dir: path.Dir(file), Doc: doc}
	for _, field := range doc.Root.Fields() {
		k.readField(field)
	}
	return k, nil
}

// IsComponent reports whether the file is a kustomize component, which is only built as a part of others.
func (k *Kustomization) IsComponent() bool {
	return anyCase(k.Doc.Root, "kind").String() == kindComponent
}

func checkKustomizationType(doc *manifest.Document) error {
	kind, apiVersion := anyCase(doc.Root, "kind"), anyCase(doc.Root, "apiVersion")
	group, _ := SplitAPIVersion(apiVersion.String())
	if name := kind.String(); name != "" && name != kindKustomization && name != kindComponent {
		return fmt.Errorf("%s: kind is %q, which kustomize does not accept: use %s or %s, or another file name",
			PositionIn(doc, kind.Span().Start), name, kindKustomization, kindComponent)
	}
	if apiVersion.String() != "" && group != KustomizeGroup {
		return fmt.Errorf("%s: apiVersion is %q, which kustomize does not accept: use %s/v1beta1, or another file name",
			PositionIn(doc, apiVersion.Span().Start), apiVersion.String(), KustomizeGroup)
	}
	return nil
}

func (k *Kustomization) readField(field manifest.Field) {
	name := KustomizationField(field.Key.String())
	use, known := kustomizationFields[name]
	if !known {
		// The effect of a field of another version of kustomize is not guessed.
		use = transforms
	}
	if IsEmpty(field.Value) {
		return
	}
	if use == lists || name == "components" {
		k.readEntries(name, field)
	}
	if use == transforms {
		k.Transforms = append(k.Transforms, Transform{name, field.Value.String(), k.Position(field.Key)})
	}
	k.claim(name, field)
}

// IsEmpty reports whether a field is set without content: null, "", [], or {}.
func IsEmpty(n *manifest.Node) bool {
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
	for i, item := range Items(value) {
		if item.String() == "" {
			k.problem(item, "%s has an item that is not the name of a file or folder", field)
			continue
		}
		k.Resources = append(k.Resources, Entry{
			Field: field, Value: item.String(), Target: k.resolve(item.String()),
			Path: manifest.Path{written.Key.String(), strconv.Itoa(i)}, Position: k.Position(item),
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

// Position returns the position of a part of the kustomization.
func (k *Kustomization) Position(n *manifest.Node) Position { return PositionIn(k.Doc, n.Span().Start) }

func (k *Kustomization) problem(n *manifest.Node, format string, args ...any) {
	k.Problems = append(k.Problems, Problem{Position: k.Position(n), Message: fmt.Sprintf(format, args...)})
}

// Lists returns the entry for a file or folder of the repository. ok is false if there is none.
func (k *Kustomization) Lists(target string) (Entry, bool) {
	i := slices.IndexFunc(k.Resources, func(e Entry) bool { return e.Target == target })
	if i < 0 {
		return Entry{}, false
	}
	return k.Resources[i], true
}

// Resolve sets the targets of entries that kustomize fetches and that are folders of the tree. The function returns the folder of an
// address, and how its files can differ from what kustomize gets, which is a problem unless it is "".
func (k *Kustomization) Resolve(folder func(address string) (dir, doubt string, ok bool)) {
	for i, e := range k.Resources {
		if !e.Remote() {
			continue
		}
		dir, doubt, ok := folder(e.Value)
		at, err := filepath.Rel(filepath.FromSlash(k.Dir), filepath.FromSlash(dir))
		if !ok || err != nil {
			continue
		}
		edit, err := k.Doc.SetScalar(e.Path, filepath.ToSlash(at))
		if err != nil {
			continue // an alias or a tag, which stays remote
		}
		k.local = append(k.local, edit)
		k.Resources[i].Target, k.Resources[i].Fetched = dir, true
		if doubt != "" {
			k.Problems = append(k.Problems, Problem{Position: e.Position, Message: fmt.Sprintf("%s: %q %s", e.Field, e.Value, doubt)})
		}
	}
}

// Follow sets the targets of entries that go through symbolic links. The function returns where a path leads.
func (k *Kustomization) Follow(real func(target string) string) {
	for i, e := range k.Resources {
		if to := real(e.Target); to != e.Target {
			k.Resources[i].Target, k.Resources[i].Through = to, e.Target
		}
	}
}

// Fetches reports whether an entry is an address that [Kustomization.Resolve] found in the tree.
func (k *Kustomization) Fetches() bool { return len(k.local) > 0 }

// Bytes returns the file as builds read it: with the folders of the tree instead of the addresses that [Kustomization.Resolve] found.
func (k *Kustomization) Bytes() []byte {
	data, err := manifest.Apply(k.Doc.File.Data, k.local)
	if err != nil {
		return k.Doc.File.Data
	}
	return data
}

// Remote reports whether the entry looks like something that kustomize fetches, and that is not in the tree: a URL, or a git repository in
// one of the forms that kustomize supports. A file or folder of that name in the repository takes precedence.
func (e Entry) Remote() bool {
	if e.Fetched {
		return false
	}
	value := strings.TrimPrefix(e.Value, "git::")
	host, rest, _ := strings.Cut(value, "/")
	_, query, _ := strings.Cut(value, "?")
	switch {
	case value != e.Value, strings.Contains(value, "://"):
		return true
	case strings.HasPrefix(value, "github.com/"), strings.HasPrefix(value, "gh:"):
		return true
	case strings.Contains(host, "@") && strings.Contains(host, ":"):
		return true // git@host:organization/repository
	}
	return strings.Trim(host, ".") != "" && strings.Contains(host, ".") && rest != "" &&
		(strings.Contains(query, "ref=") || strings.Contains(query, "version="))
}

// LeftOut is an entry of a kustomization that is not part of what salint builds, with the files that it reads: the effect of
// a change to these is unknown.
type LeftOut struct {
	Position Position
	// Reason is why the entry is left out, as the end of a sentence that begins with the place.
	Reason string
	// Files are files and folders.
	Files []string
	// Missing is set if objects that the entry adds are missing in the unit, so that what is not found can be among them.
	Missing bool
}

// Covers reports whether the entry may read a file.
func (l LeftOut) Covers(file string) bool {
	return slices.ContainsFunc(l.Files, func(name string) bool { return within(name, file) })
}

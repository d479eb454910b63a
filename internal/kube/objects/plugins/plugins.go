package plugins

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Plugin is an entry of `generators`, `transformers`, or `validators`.
type Plugin struct {
	Field    string
	Position objects.Position
	Configs  []Config
	// Err is why the configuration could not be read.
	Err error
}

// Config is the configuration of a generator, transformer, or validator.
type Config struct {
	Root *manifest.Node
	// doc contains Root; nil for a text inside the kustomization.
	doc *manifest.Document
	// Dir is the folder of the file. Position is that of the document; for a text inside the kustomization, that of the entry.
	Dir      string
	Position objects.Position
}

// APIVersion and Kind identify the program.
func (p Config) APIVersion() string { return p.Root.Get("apiVersion").String() }

// Kind is the kind of the configuration.
func (p Config) Kind() string { return p.Root.Get("kind").String() }

// Name is the name in the metadata.
func (p Config) Name() string { return p.Root.Get("metadata").Get("name").String() }

// positionOf returns the position of a part of the configuration.
func (p Config) positionOf(n *manifest.Node) objects.Position {
	if p.doc == nil || n == nil {
		return p.Position
	}
	return objects.PositionIn(p.doc, n.Span().Start)
}

// builtinVersion is the apiVersion of the plugins that are part of kustomize (konfig.BuiltinPluginApiVersion).
const builtinVersion = "builtin"

// Builtin reports whether the plugin is part of kustomize and runs no program. The generator for charts runs helm.
func (p Config) Builtin() bool {
	return p.APIVersion() == builtinVersion && !p.IsChartGenerator()
}

// IsChartGenerator reports whether the configuration is that of kustomize's generator for charts.
func (p Config) IsChartGenerator() bool {
	return p.APIVersion() == builtinVersion && p.Kind() == "HelmChartInflationGenerator"
}

// IsPolicyGenerator reports whether the configuration is that of the policy generator of Advanced Cluster Management.
func (p Config) IsPolicyGenerator() bool {
	group, _ := objects.SplitAPIVersion(p.APIVersion())
	return group == "policy.open-cluster-management.io" && p.Kind() == "PolicyGenerator"
}

// IsKSOPS reports whether the configuration is that of KSOPS, which adds the decrypted objects of the files that it lists
// (github.com/viaduct-ai/kustomize-sops).
func (p Config) IsKSOPS() bool {
	group, _ := objects.SplitAPIVersion(p.APIVersion())
	return group == "viaduct.ai" && strings.EqualFold(p.Kind(), "ksops")
}

// AddsOnlySecrets reports whether the files that KSOPS decrypts hold nothing but Secrets and ConfigMaps: kinds are not encrypted. The
// folder is that of the kustomization.
func (p Config) AddsOnlySecrets(read func(string) ([]byte, error), dir string) bool {
	if !p.IsKSOPS() {
		return false
	}
	for _, file := range objects.Items(p.Root.Get("files")) {
		name := path.Join(dir, file.String())
		data, err := read(name)
		if err != nil {
			return false
		}
		for _, doc := range manifest.Scan(name, data).Docs {
			if kind := doc.Kind(); kind != "Secret" && kind != "ConfigMap" {
				return false
			}
		}
	}
	return true
}

// fields are the fields whose entries configure plugins.
var fields = []string{"generators", "transformers", "validators"}

// Limits of what a kustomization can configure. They are far above what is in use.
const (
	maxFolders = 10
	maxConfigs = 1000
	maxStrings = 10_000
)

// Of returns the entries of `generators`, `transformers`, and `validators` of a kustomization. The function read reads a file of the
// repository.
func Of(k *objects.Kustomization, read func(string) ([]byte, error)) []Plugin {
	if !slices.ContainsFunc(k.Transforms, func(t objects.Transform) bool { return slices.Contains(fields, t.Field) }) {
		return nil
	}
	var all []Plugin
	for _, field := range k.Doc.Root.Fields() {
		name := objects.KustomizationField(field.Key.String())
		if !slices.Contains(fields, name) {
			continue
		}
		for _, item := range objects.Items(field.Value) {
			p := Plugin{Field: name, Position: k.Position(item)}
			p.Configs, p.Err = Configs(read, k.Dir, item.String())
			for i := range p.Configs {
				if p.Configs[i].Position.File == "" {
					p.Configs[i].Position = p.Position
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// Configs reads the configurations of an entry of a kustomization in a folder: the text itself, a file, or a folder with a
// kustomization that lists files. The position of a configuration inside the entry has no file.
func Configs(read func(string) ([]byte, error), dir, entry string) ([]Config, error) {
	if strings.ContainsAny(entry, "\n{") {
		r := reader{}
		err := r.documents(dir, manifest.Scan("", []byte(entry)))
		for i := range r.configs {
			r.configs[i].Position, r.configs[i].doc = objects.Position{}, nil
		}
		return r.configs, err
	}
	r := reader{read: read}
	err := r.entry(path.Join(dir, entry), 0)
	return r.configs, err
}

type reader struct {
	read    func(string) ([]byte, error)
	configs []Config
}

var errTooMany = errors.New("it configures too much")

func (r *reader) entry(name string, depth int) error {
	if depth > maxFolders {
		return errTooMany
	}
	if !fs.ValidPath(name) {
		return fmt.Errorf("%s is outside the repository", name)
	}
	data, err := r.read(name)
	if err == nil {
		return r.documents(path.Dir(name), manifest.Scan(name, data))
	}
	isMissing := errors.Is(err, fs.ErrNotExist)
	for _, file := range objects.KustomizationNames() {
		file = path.Join(name, file)
		data, err := r.read(file)
		if err != nil {
			continue
		}
		return r.folder(manifest.Scan(file, data), depth)
	}
	if isMissing {
		return fmt.Errorf("%s does not exist", name)
	}
	return fmt.Errorf("%s is not a readable file, and has no kustomization", name)
}

// folder reads the configurations that a kustomization lists.
func (r *reader) folder(file *manifest.File, depth int) error {
	for _, doc := range file.Docs {
		if err := doc.Parse(); err != nil {
			return err
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			return err
		}
		for _, listed := range k.Resources {
			if err := r.entry(listed.Target, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) documents(dir string, file *manifest.File) error {
	for _, doc := range file.Docs {
		if err := doc.Parse(); err != nil {
			return err
		}
		if !doc.Root.IsMapping() {
			continue
		}
		if len(r.configs) == maxConfigs {
			return errTooMany
		}
		r.configs = append(r.configs, Config{Root: doc.Root, doc: doc, Dir: dir, Position: objects.PositionIn(doc, doc.Root.Span().Start)})
	}
	return nil
}

// Paths returns the files and folders that the configuration may name: every text in it that is the path of one, relative to
// the folder of the configuration or to that of the kustomization. Names and labels of the configuration are no paths. Of a policy
// generator, only the documented fields for paths are read.
func (p Config) Paths(dir string, exists func(string) bool) []string {
	var found []string
	left := maxStrings
	walkTexts(p.Root.Decode(), nil, &left, func(at []string, text string) {
		if p.IsPolicyGenerator() && !isPolicyPath(at) {
			return
		}
		for _, base := range []string{p.Dir, dir} {
			name := path.Join(base, text)
			if fs.ValidPath(name) && !path.IsAbs(text) && exists(name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	})
	if left <= 0 { // it was not read to the end: everything beside the configuration counts as named
		return []string{p.Dir, dir}
	}
	slices.Sort(found)
	return found
}

// walkTexts calls visit for the texts in a value, and for those in YAML that a text contains.
func walkTexts(value any, at []string, left *int, visit func(at []string, text string)) {
	if *left--; *left <= 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if at := append(at[:len(at):len(at)], key); !isDescription(at) {
				walkTexts(below, at, left, visit)
			}
		}
	case []any:
		for i, item := range value {
			walkTexts(item, append(at[:len(at):len(at)], strconv.Itoa(i)), left, visit)
		}
	case string:
		if !strings.Contains(value, "\n") {
			visit(at, value)
			return
		}
		for _, doc := range manifest.Scan("", []byte(value)).Docs {
			if doc.Parse() == nil && !doc.Root.IsScalar() {
				walkTexts(doc.Root.Decode(), at, left, visit)
			}
		}
	}
}

// isDescription reports whether a field describes the configuration, and is no input of it.
func isDescription(at []string) bool {
	switch strings.Join(at, ".") {
	case "apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.labels":
		return true
	}
	return false
}

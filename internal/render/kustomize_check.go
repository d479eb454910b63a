package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// RemoteError reports that a kustomization references something outside the repository.
type RemoteError struct {
	File         string
	Line, Column int
	// Field is the field with the reference, such as resources, and Address the reference.
	Field, Address string
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Reason())
}

// Reason returns the message without the position.
func (e *RemoteError) Reason() string {
	return fmt.Sprintf("%s: %q is not in the repository, and salint fetches nothing", e.Field, e.Address)
}

// kustomization checks a kustomization file before kustomize reads it. The returned file has no remote resources that are
// left out; generators mark their objects, or that of the built folder requests origin annotations.
func (b *kustomizeBuild) kustomization(name string, data []byte) ([]byte, error) {
	// Converted as kustomize does it. Invalid files are left to kustomize, whose messages are better.
	asJSON, err := yaml.YAMLToJSON(data)
	if err != nil {
		return data, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(asJSON))
	decoder.UseNumber()
	var fields map[string]any
	if decoder.Decode(&fields) != nil || len(fields) == 0 {
		return data, nil
	}
	check := checker{build: b, file: manifest.Scan(name, data), fields: fields, indexes: map[string][]int{}}
	if err := check.canonical(); err != nil {
		return nil, err
	}
	if err := check.all(); err != nil {
		return nil, err
	}
	b.list(name, fields)
	isRoot := path.Dir(name) == b.dir && b.root == ""
	if isRoot {
		b.root = name
	}
	if check.changed && fields[buildMetadata] == nil {
		fields[buildMetadata] = []any{} // kustomize refuses an empty file, if all entries are left out
	}
	switch {
	case b.noFiles:
		check.changed = markGenerators(name, fields) || check.changed
	case isRoot:
		check.changed = b.askOrigins(fields) || check.changed
	}
	if !check.changed {
		return data, nil
	}
	return json.Marshal(fields)
}

const (
	buildMetadata     = "buildMetadata"
	originAnnotations = "originAnnotations"
)

// askOrigins makes kustomize annotate each object with its origin, unless the file already configures that.
func (b *kustomizeBuild) askOrigins(fields map[string]any) (changed bool) {
	wanted, isList := fields[buildMetadata].([]any)
	if fields[buildMetadata] != nil && !isList {
		return false
	}
	b.keepOrigins = slices.Contains(wanted, any(originAnnotations))
	if !b.keepOrigins {
		fields[buildMetadata] = append(wanted, originAnnotations)
	}
	return !b.keepOrigins
}

// checker checks one kustomization file for what kustomize would fetch or run.
type checker struct {
	build   *kustomizeBuild
	file    *manifest.File
	fields  map[string]any
	changed bool
	// indexes are the indexes in the user's file of the items of a list from which some were removed.
	indexes map[string][]int
	// generated are the charts that kustomize's own generator renders.
	generated []ChartEntry
}

// canonical gives fields in other capitals, such as Resources, the name that the checks know: kustomize ignores case. It refuses a
// field that is set under two of its names, because it is not defined which of them counts.
func (c *checker) canonical() error {
	for _, key := range slices.Sorted(maps.Keys(c.fields)) {
		if name := objects.KustomizationField(key); name != key {
			if err := c.rename(c.fields, key, name, manifest.Path{key}); err != nil {
				return err
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(sourceFields)) {
		if err := c.canonicalKeys(c.fields[field], manifest.Path{field}); err != nil {
			return err
		}
	}
	return nil
}

// fileKeys are the keys inside of fields that name files.
var fileKeys = []string{"files", "envs", "env", "path"}

func (c *checker) canonicalKeys(value any, at manifest.Path) error {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			if err := c.canonicalKeys(item, at.Join(strconv.Itoa(i))); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			i := slices.IndexFunc(fileKeys, func(known string) bool { return known != key && strings.EqualFold(known, key) })
			if i < 0 {
				continue
			}
			if err := c.rename(value, key, fileKeys[i], at.Join(key)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) rename(fields map[string]any, key, name string, at manifest.Path) error {
	if _, twice := fields[name]; twice {
		line, column := c.position(at)
		return &Error{File: c.file.Path, Line: line, Column: column, Message: fmt.Sprintf("%s and %s are the same field for kustomize: keep one of them", key, name)}
	}
	fields[name] = fields[key]
	delete(fields, key)
	c.changed = true
	return nil
}

func (c *checker) all() error {
	for _, check := range []func() error{c.skipped, c.missing, c.plugins, c.charts} {
		if err := check(); err != nil {
			return err
		}
	}
	for _, field := range []string{"resources", "bases", "components"} {
		if err := c.entries(c.fields, field, manifest.Path{field}); err != nil {
			return err
		}
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		if err := c.generators(field); err != nil {
			return err
		}
	}
	return c.sources()
}

// generators checks the files that become part of generated objects. Without some of its data it is still the same object.
func (c *checker) generators(field string) error {
	list, _ := c.fields[field].([]any)
	for i, item := range list {
		generator, _ := item.(map[string]any)
		for _, key := range []string{"files", "envs"} {
			if err := c.entries(generator, key, manifest.Path{field, strconv.Itoa(i), key}); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries checks a list of objects, folders or files, and removes those that are left out.
func (c *checker) entries(fields map[string]any, key string, at manifest.Path) error {
	list, _ := fields[key].([]any)
	var kept []any
	for i, item := range list {
		name, _ := item.(string)
		if !isRemote(name) {
			kept = append(kept, item)
			continue
		}
		remote := c.remote(at.Join(strconv.Itoa(i)), name)
		if !c.build.withoutRemote {
			return &remote
		}
		c.build.remotes = append(c.build.remotes, remote)
		c.changed = true
	}
	if len(kept) < len(list) {
		fields[key] = kept
	}
	return nil
}

// isRemote reports whether an entry is a URL, or a generator's key=URL.
func isRemote(entry string) bool {
	_, file, hasKey := strings.Cut(entry, "=")
	return Fetched(entry) || hasKey && Fetched(file)
}

// sourceFields are the other fields that reference files: as items (""), or by these keys of their items.
var sourceFields = map[string][]string{
	"patches": {"path"}, "patchesJson6902": {"path"}, "replacements": {"path"}, "openapi": {"path"},
	"patchesStrategicMerge": {""}, "transformers": {""}, "generators": {""}, "validators": {""},
	"configurations": {""}, "crds": {""},
	"configMapGenerator": {"env"}, "secretGenerator": {"env"},
}

// sources checks the other files. They are never left out, because the build would then differ.
func (c *checker) sources() error {
	for _, field := range slices.Sorted(maps.Keys(sourceFields)) {
		for _, key := range sourceFields[field] {
			if err := c.named(field, c.fields[field], manifest.Path{field}, key); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) named(field string, value any, at manifest.Path, key string) error {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			if err := c.named(field, item, at.Join(strconv.Itoa(i)), key); err != nil {
				return err
			}
		}
	case map[string]any:
		if key != "" {
			return c.named(field, value[key], at.Join(key), "")
		}
	case string:
		if key == "" && Fetched(value) {
			remote := c.remote(at, value)
			return &remote
		}
	}
	return nil
}

func (c *checker) remote(at manifest.Path, address string) RemoteError {
	line, column := c.position(at)
	return RemoteError{File: c.file.Path, Line: line, Column: column, Field: at[0], Address: address}
}

func (c *checker) position(at manifest.Path) (line, column int) {
	if len(c.file.Docs) == 0 || c.file.Docs[0].Parse() != nil {
		return 1, 1
	}
	return c.file.Position(c.file.Docs[0].Locate(at).Start)
}

// Fetched reports whether kustomize would fetch a name: a URL, or one of its forms of git addresses
// (api/internal/git/repospec.go, api/internal/loader/fileloader.go). A text of several lines is no name.
func Fetched(name string) bool {
	if strings.ContainsAny(name, "\r\n") {
		return false
	}
	name = strings.ToLower(strings.TrimSpace(name))
	for _, prefix := range []string{"http:", "https:", "ssh:", "file:", "git::", "git:", "github.com/", "github.com:"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	user, rest, found := strings.Cut(name, "@")
	return strings.Contains(name, "://") || found && !strings.Contains(user, "/") && strings.ContainsAny(rest, ":/")
}

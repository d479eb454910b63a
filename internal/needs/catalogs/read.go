package catalogs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v2"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/salint/salint/internal/files/ignore"
)

// maxSize limits the files of a catalog. The largest published ones have about 100 MB.
const maxSize = 512 << 20

// Schemas of the entries of a file-based catalog.
const (
	schemaPackage      = "olm.package"
	schemaChannel      = "olm.channel"
	schemaBundle       = "olm.bundle"
	schemaDeprecations = "olm.deprecations"
)

// Catalog is what a file-based catalog has of one package.
type Catalog struct {
	Name, Package string
	// Serving is the name of the ClusterCatalog that serves it. Named is set if it is not only inferred from the name of the file or folder.
	Serving string
	Named   bool
	// Priority decides among catalogs; with FromObject it is that of the ClusterCatalog.
	Priority   int
	FromObject bool
	Channels   []Channel
	Bundles    []*Bundle
	// deprecated are messages about bundles, by name, and Messages those about channels and the package.
	deprecated map[string]string
	Messages   []string
	// found is set if the catalog has the package, and deprecates if it has deprecations of it.
	found, deprecates bool
}

// Channel is a list of versions, with what each upgrades.
type Channel struct {
	Name    string  `json:"name"`
	Entries []Entry `json:"entries"`
}

// Entry is a bundle of a channel.
type Entry struct {
	Name      string   `json:"name"`
	Replaces  string   `json:"replaces"`
	Skips     []string `json:"skips"`
	SkipRange string   `json:"skipRange"`
}

// blob is an entry of any schema.
type blob struct {
	Schema     string  `json:"schema"`
	Name       string  `json:"name"`
	Package    string  `json:"package"`
	Image      string  `json:"image"`
	Entries    []entry `json:"entries"`
	Properties []struct {
		Type  string          `json:"type"`
		Value json.RawMessage `json:"value"`
	} `json:"properties"`
}

// entry is one of a channel, or of deprecations.
type entry struct {
	Entry

	Reference struct {
		Schema string `json:"schema"`
		Name   string `json:"name"`
	} `json:"reference"`
	Message string `json:"message"`
}

// Read reads what a catalog has of a package: a file, or a folder with all folders below it. Errors begin with the file.
func Read(fsys fs.FS, dir, pkg string) (*Catalog, error) {
	of, err := readAll(fsys, dir, []string{pkg})
	return of[pkg], err
}

// readAll reads what a catalog has of packages, by package.
func readAll(fsys fs.FS, dir string, packages []string) (map[string]*Catalog, error) {
	r := &reader{of: map[string]*Catalog{}}
	for _, pkg := range packages {
		r.of[pkg] = &Catalog{Name: dir, Package: pkg, deprecated: map[string]string{}}
	}
	if err := r.read(fsys, dir); err != nil {
		return nil, err
	}
	if !r.isCatalog {
		return nil, fmt.Errorf("not a file-based catalog: nothing in it has a schema such as %s", schemaPackage)
	}
	return r.of, nil
}

// reader reads the files of a catalog.
type reader struct {
	// of are the catalogs by package.
	of map[string]*Catalog
	// isCatalog is set if there is any entry of a catalog.
	isCatalog bool
}

// indexIgnore is the name of the files that say which files are no part of a catalog, in the notation of .gitignore.
const indexIgnore = ".indexignore"

// read reads the files that OLM reads: all but those that an .indexignore excludes, whatever their extension. One that cannot be read ends the
// whole catalog.
//
// Source: operator-registry, alpha/declcfg/load.go (WalkMetasFS), which catalogd calls.
func (r *reader) read(fsys fs.FS, dir string) error {
	size := int64(0)
	var lists []ignore.List // the innermost one comes last
	return fs.WalkDir(fsys, path.Clean(dir), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if entry.IsDir() {
			if data, err := fs.ReadFile(fsys, path.Join(name, indexIgnore)); err == nil {
				lists = append(lists, ignore.ParseList(data, name))
			}
			return nil
		}
		if !entry.Type().IsRegular() || path.Base(name) == indexIgnore || excluded(lists, name) {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		if size > maxSize {
			return fmt.Errorf("%s: the catalog has more than %d MiB; pass the folder of one package", name, maxSize>>20)
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil && !r.skim(data) {
			err = r.add(data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// excluded reports whether lists exclude a file. That of the innermost folder decides.
func excluded(lists []ignore.List, name string) bool {
	for _, list := range slices.Backward(lists) {
		if line, ignored := list.Decide(name); line > 0 {
			return ignored
		}
	}
	return false
}

// head is what all entries have.
type head struct {
	Schema  string `json:"schema" yaml:"schema"`
	Name    string `json:"name" yaml:"name"`
	Package string `json:"package" yaml:"package"`
}

func (h head) isCatalog() bool { return strings.HasPrefix(h.Schema, "olm.") }

// skim reports whether a file is certain to have only valid entries of other packages, without reading what is in them: most of a catalog is.
func (r *reader) skim(data []byte) bool {
	for pkg := range r.of {
		if bytes.Contains(data, []byte(pkg)) {
			return false
		}
	}
	next := skimYAML(data)
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		next = skimJSON(data)
	}
	isCatalog := false
	for {
		h, err := next()
		if errors.Is(err, io.EOF) {
			r.isCatalog = r.isCatalog || isCatalog
			return true
		}
		if err != nil || r.of[h.Package] != nil || r.of[h.Name] != nil {
			return false
		}
		isCatalog = isCatalog || h.isCatalog()
	}
}

func skimJSON(data []byte) func() (head, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	return func() (h head, err error) { return h, decoder.Decode(&h) }
}

func skimYAML(data []byte) func() (head, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	return func() (h head, err error) {
		document, err := reader.Read()
		if err != nil {
			return h, err
		}
		return h, yaml.Unmarshal(document, &h)
	}
}

// add adds the entries of a file.
func (r *reader) add(data []byte) error {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var text json.RawMessage
		err := decoder.Decode(&text)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var h head
		if err == nil {
			err = json.Unmarshal(text, &h)
		}
		if err != nil {
			return fmt.Errorf("not a file-based catalog: %w. OLM reads every file that no %s excludes", err, indexIgnore)
		}
		r.isCatalog = r.isCatalog || h.isCatalog()
		c := r.of[h.Package]
		if c == nil {
			if named := r.of[h.Name]; named != nil && h.Schema == schemaPackage {
				named.found = true
			}
			continue
		}
		c.found = true
		if err := c.addEntry(h, text); err != nil {
			return err
		}
	}
}

// addEntry adds an entry of the package. Those of other schemas can have any form.
func (c *Catalog) addEntry(h head, text json.RawMessage) error {
	if !slices.Contains([]string{schemaChannel, schemaBundle, schemaDeprecations}, h.Schema) {
		return nil
	}
	var b blob
	if err := json.Unmarshal(text, &b); err != nil {
		return fmt.Errorf("not a file-based catalog: %w", err)
	}
	return c.addBlob(b)
}

func (c *Catalog) addBlob(b blob) error {
	switch b.Schema {
	case schemaChannel:
		channel := Channel{Name: b.Name}
		for _, e := range b.Entries {
			channel.Entries = append(channel.Entries, e.Entry)
		}
		c.Channels = append(c.Channels, channel)
	case schemaDeprecations:
		if c.deprecates { // only the first one of a package counts
			return nil
		}
		c.deprecates = true
		for _, e := range b.Entries {
			if e.Reference.Schema == schemaBundle {
				c.deprecated[e.Reference.Name] = e.Message
			} else {
				c.Messages = append(c.Messages, e.Message)
			}
		}
	case schemaBundle:
		bundle, versioned := &Bundle{Name: b.Name, Image: b.Image}, false
		for _, p := range b.Properties {
			switch p.Type {
			case schemaPackage:
				if !versioned { // the first one counts
					bundle.setVersion(p.Value)
				}
				versioned = true
			case "olm.package.required", "olm.gvk.required", "olm.constraint":
				bundle.Requires = p.Type
			}
		}
		c.Bundles = append(c.Bundles, bundle)
	}
	return nil
}

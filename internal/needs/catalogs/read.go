package catalogs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
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
	// found is set if the catalog has the package, and isCatalog if it has any entry of a catalog.
	found, isCatalog bool
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

// Read reads what a catalog has of a package: a file, or a folder with all folders below it. Errors begin with the file. Files without the name
// of the package are read only if no other has it, to tell a catalog without it from one that cannot be read.
func Read(fsys fs.FS, dir, pkg string) (*Catalog, error) {
	c := &Catalog{Name: dir, Package: pkg, deprecated: map[string]string{}}
	err := c.read(fsys, dir, []byte(pkg))
	if err == nil && !c.found {
		err = c.read(fsys, dir, nil)
	}
	if err == nil && !c.found && !c.isCatalog {
		return nil, fmt.Errorf("not a file-based catalog: nothing in it has a schema such as %s", schemaPackage)
	}
	return c, err
}

// read reads the files that contain a word.
func (c *Catalog) read(fsys fs.FS, dir string, word []byte) error {
	size := int64(0)
	return fs.WalkDir(fsys, path.Clean(dir), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !entry.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		if size > maxSize {
			return fmt.Errorf("%s: the catalog has more than %d MiB; pass the folder of one package", name, maxSize>>20)
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil || !bytes.Contains(data, word) {
			return err
		}
		if err := c.add(data, c.Package); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}

// add adds the entries of a file.
func (c *Catalog) add(data []byte, pkg string) error {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var b blob
		err := decoder.Decode(&b)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not a file-based catalog: %w", err)
		}
		c.isCatalog = c.isCatalog || strings.HasPrefix(b.Schema, "olm.")
		if b.Schema == schemaPackage && b.Name == pkg {
			c.found = true
		}
		if b.Package == pkg {
			c.found = true
			if err := c.addBlob(b); err != nil {
				return err
			}
		}
	}
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

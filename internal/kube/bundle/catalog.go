package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/salint/salint/internal/base/shell"
	"github.com/salint/salint/internal/kube/rendered"
)

// Schemas and types of properties of file-based catalogs.
const (
	schemaBundle   = "olm.bundle"
	typePackage    = "olm.package"
	typeObject     = "olm.bundle.object"
	typeCSVSummary = "olm.csv.metadata"
)

// catalogBundle is a bundle as a file-based catalog lists it.
type catalogBundle struct {
	Name       string     `json:"name"`
	Package    string     `json:"package"`
	Image      string     `json:"image"`
	Properties []property `json:"properties"`
	at         rendered.Origin
}

// loadCatalog reads the single bundle of a file-based catalog: a folder with all folders below it, or a file.
func loadCatalog(fsys fs.FS, dir string) (*Bundle, error) {
	r := newReader(fsys)
	var bundles []catalogBundle
	err := fs.WalkDir(fsys, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) {
			return nil
		}
		more, err := r.catalogFile(name, entry)
		bundles = append(bundles, more...)
		return err
	})
	if err != nil {
		return nil, err
	}
	switch len(bundles) {
	case 0:
		return nil, fmt.Errorf("%s: no bundle here: neither a folder %s/ nor an %s of a file-based catalog", dir, manifestsDir, schemaBundle)
	case 1:
		return bundles[0].load()
	}
	return nil, fmt.Errorf("%s: %d bundles in this catalog (%s, %s …); pass a folder or file with one", dir, len(bundles), bundles[0].Name, bundles[1].Name)
}

func (r *reader) catalogFile(name string, entry fs.DirEntry) ([]catalogBundle, error) {
	data, err := r.file(name, entry)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(data), schemaBundle) {
		return nil, nil
	}
	documents, err := split(name, data)
	if err != nil {
		return nil, err
	}
	var bundles []catalogBundle
	for _, d := range documents {
		if !isCatalogBundle(d) {
			continue
		}
		b := catalogBundle{at: d.at}
		if err := json.Unmarshal(d.json, &b); err != nil {
			return nil, errorAt(d.at, "not a valid %s: %s", schemaBundle, clip(err.Error()))
		}
		bundles = append(bundles, b)
	}
	return bundles, nil
}

func isCatalogBundle(d document) bool {
	var entry struct {
		Schema string `json:"schema"`
	}
	return json.Unmarshal(d.json, &entry) == nil && entry.Schema == schemaBundle
}

// load builds a bundle from the manifests in the catalog.
func (c catalogBundle) load() (*Bundle, error) {
	objects, err := c.objects()
	if err != nil {
		return nil, err
	}
	if len(objects) == 0 {
		return nil, errorAt(c.at, "%s", c.withoutManifests())
	}
	b, err := fromManifests(fmt.Sprintf("%s:%d", c.at.File, c.at.Line), objects)
	if err != nil {
		return nil, err
	}
	if b.Package, err = c.packageName(); err != nil {
		return nil, err
	}
	own, err := b.addProperties(nil, false)
	if err != nil {
		return nil, err
	}
	b.requires = required(append(own, c.Properties...), nil, b)
	return b, nil
}

// withoutManifests returns why the permissions of a catalog entry are unknown. It says nothing about whether OLM installs the bundle.
func (c catalogBundle) withoutManifests() string {
	lacks := fmt.Sprintf("the catalog has no manifests of it (no %s)", typeObject)
	if slices.ContainsFunc(c.Properties, func(p property) bool { return p.Type == typeCSVSummary }) {
		lacks = fmt.Sprintf("the catalog has only its metadata (%s), without permissions, deployments, and webhooks", typeCSVSummary)
	}
	return fmt.Sprintf("the permissions of %s are not readable here: %s. Unpack its image, and pass the folder with manifests/: %s", c.Name, lacks, c.unpack())
}

// unpack returns the command that unpacks the image of the entry.
func (c catalogBundle) unpack() string {
	dir := shell.Quote(cmp.Or(c.Name, "bundle"))
	return fmt.Sprintf("mkdir %s && crane export %s - | tar -x -C %s", dir, shell.Quote(cmp.Or(c.Image, "IMAGE")), dir)
}

// packageName is the package of the catalog's entry, otherwise of its olm.package.
func (c catalogBundle) packageName() (string, error) {
	if c.Package != "" {
		return c.Package, nil
	}
	for _, p := range c.Properties {
		if p.Type != typePackage {
			continue
		}
		var value struct {
			PackageName string `json:"packageName"`
		}
		if err := json.Unmarshal(p.Value, &value); err != nil {
			return "", errorAt(c.at, "%s: %s", typePackage, clip(err.Error()))
		}
		return value.PackageName, nil
	}
	return "", nil
}

// objects decodes the manifests, each of which is base64-encoded JSON.
func (c catalogBundle) objects() ([]rendered.Object, error) {
	var objects []rendered.Object
	for i, p := range c.Properties {
		if p.Type != typeObject {
			continue
		}
		var value struct {
			Data []byte `json:"data"`
		}
		if err := json.Unmarshal(p.Value, &value); err != nil {
			return nil, errorAt(c.at, "properties[%d] (%s): %s", i, typeObject, clip(err.Error()))
		}
		if len(value.Data) == 0 {
			return nil, errorAt(c.at, "properties[%d] (%s): no data; pass the manifests instead", i, typeObject)
		}
		var object any
		if err := utiljson.Unmarshal(value.Data, &object); err != nil {
			return nil, errorAt(c.at, "properties[%d] (%s): %s", i, typeObject, clip(err.Error()))
		}
		var err error
		if objects, err = flatten(objects, c.at, object, maxListDepth); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

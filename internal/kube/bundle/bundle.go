package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/rendered"
)

// Bundle is an operator bundle: its ClusterServiceVersion and its other manifests.
type Bundle struct {
	// Package is the package that the bundle sets; "" if it sets none.
	Package string
	// Name is the name of the ClusterServiceVersion, Version the operator's version in it.
	Name, Version string
	// CSV must not be changed.
	CSV *v1alpha1.ClusterServiceVersion
	// Origin is the position of the ClusterServiceVersion.
	Origin rendered.Origin
	// Notes are about files of metadata/ that do not count.
	Notes []string

	crds   []definition
	others []rendered.Object
	lines  lines
	// requires are the types of the properties with which the bundle declares dependencies, sorted.
	requires []string
}

// Folders and files of the registry+v1 format.
const (
	manifestsDir    = "manifests"
	metadataDir     = "metadata"
	annotationsFile = "metadata/annotations.yaml"
	propertiesFile  = "metadata/properties.yaml"
)

// Load reads the bundle in a folder of the tree: one of the registry+v1 format (manifests/, and metadata/ if it exists),
// otherwise a file-based catalog, or one file of it, with a single bundle. The kind of a manifest decides its meaning, as
// for operator-controller, not the name of its file.
//
// The error is an [*UnsupportedError] if the bundle is readable but incomplete, or not accepted by operator-controller;
// other errors begin with the position, in the form file:line.
func Load(fsys fs.FS, dir string) (*Bundle, error) {
	dir = path.Clean(dir)
	if info, err := fs.Stat(fsys, dir); err == nil && !info.IsDir() {
		return loadCatalog(fsys, dir)
	}
	info, err := fs.Stat(fsys, path.Join(dir, manifestsDir))
	switch {
	case err == nil && info.IsDir():
		return loadRegistryV1(fsys, dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return loadCatalog(fsys, dir)
}

// Is reports whether the folder looks like a registry+v1 bundle: manifests/ contains a ClusterServiceVersion, or there is
// metadata/annotations.yaml beside it.
func Is(fsys fs.FS, dir string) bool {
	info, err := fs.Stat(fsys, path.Join(dir, manifestsDir))
	if err != nil || !info.IsDir() {
		return false
	}
	if _, err := fs.Stat(fsys, path.Join(dir, annotationsFile)); err == nil {
		return true
	}
	return holdsCSV(fsys, path.Join(dir, manifestsDir))
}

// IsCatalog reports whether a file contains a bundle of a file-based catalog. An unreadable file counts if its words match:
// reading the bundle then reports the error.
func IsCatalog(file string, data []byte) bool {
	if !bytes.Contains(data, []byte(schemaBundle)) {
		return false
	}
	documents, err := split(file, data)
	if err != nil {
		return catalogWords().Match(data)
	}
	return slices.ContainsFunc(documents, isCatalogBundle)
}

// catalogWords matches a bundle entry of a catalog, in YAML and JSON.
var catalogWords = lazyregexp.New(`"?schema"?\s*:\s*["']?` + schemaBundle + `\b["']?\s*[,}\n]`)

func loadRegistryV1(fsys fs.FS, dir string) (*Bundle, error) {
	in := newReader(fsys)
	manifests, err := in.manifests(path.Join(dir, manifestsDir))
	if err != nil {
		return nil, err
	}
	b, err := fromManifests(path.Join(dir, manifestsDir), manifests)
	if err != nil {
		return nil, err
	}
	if err := in.metadata(dir, b); err != nil {
		return nil, err
	}
	b.lines = in.lines(b.Origin)
	return b, nil
}

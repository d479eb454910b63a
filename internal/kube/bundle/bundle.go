package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"

	"github.com/salint/salint/internal/kube/rendered"
)

// Bundle is an operator bundle as read: its ClusterServiceVersion and the manifests beside it.
type Bundle struct {
	// Package is the package that the bundle says it belongs to; "" when it does not say.
	Package string
	// Name is the name of the ClusterServiceVersion, Version what it gives as the operator's version.
	Name, Version string
	// CSV must not be changed.
	CSV *v1alpha1.ClusterServiceVersion
	// Origin is where the ClusterServiceVersion stands.
	Origin rendered.Origin

	crds   []definition
	others []rendered.Object
	lines  lines
	// requires are the types of the properties by which the bundle declares dependencies, sorted.
	requires []string
}

// Folders and files of the registry+v1 format.
const (
	manifestsDir     = "manifests"
	annotationsFile  = "metadata/annotations.yaml"
	propertiesFile   = "metadata/properties.yaml"
	dependenciesFile = "metadata/dependencies.yaml"
)

// Load reads the bundle in a folder of the tree: one of the registry+v1 format (manifests/, and metadata/ as far as it is
// there), else a file-based catalog, or one file of it, with a single bundle. Kinds tell what a manifest is, as for
// operator-controller; the names of files mean nothing.
//
// The error is an [*UnsupportedError] when the bundle could be read but tells too little or what operator-controller does
// not take; other errors begin with the place, in the form file:line.
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

// Is reports whether the folder looks like a registry+v1 bundle: manifests/ holds a ClusterServiceVersion, or there is
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

// IsCatalog reports whether a file holds a bundle of a file-based catalog. One that cannot be read to its end does if its words
// say so: reading the bundle tells what is wrong.
func IsCatalog(file string, data []byte) bool {
	if !bytes.Contains(data, []byte(schemaBundle)) {
		return false
	}
	documents, err := split(file, data)
	if err != nil {
		return catalogWords.Match(data)
	}
	return slices.ContainsFunc(documents, isCatalogBundle)
}

// catalogWords is how an entry of a catalog says that it is a bundle, in YAML and JSON.
var catalogWords = regexp.MustCompile(`"?schema"?\s*:\s*["']?` + schemaBundle + `\b["']?\s*[,}\n]`)

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

package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/rendered"
)

// The two kinds that are not simply applied.
const (
	kindCSV = "ClusterServiceVersion"
	kindCRD = "CustomResourceDefinition"
)

// fromManifests sorts objects by their role in a bundle, which depends on their kind alone. The place is where they were
// found.
func fromManifests(place string, objects []rendered.Object) (*Bundle, error) {
	b := &Bundle{}
	for _, o := range objects {
		switch o.Kind() {
		case kindCSV:
			if b.CSV != nil {
				return nil, fmt.Errorf("%s: two ClusterServiceVersions, at %s:%d and %s:%d; a bundle has exactly one",
					place, b.Origin.File, b.Origin.Line, o.Origin.File, o.Origin.Line)
			}
			if err := b.setCSV(o); err != nil {
				return nil, err
			}
		case kindCRD:
			crd, err := readDefinition(o)
			if err != nil {
				return nil, err
			}
			b.crds = append(b.crds, crd)
		default:
			b.others = append(b.others, o)
		}
	}
	if b.CSV == nil {
		return nil, fmt.Errorf("%s: no ClusterServiceVersion found in %q", place, manifestsDir)
	}
	return b, nil
}

// setCSV decodes the ClusterServiceVersion as operator-controller does, which ignores unknown fields.
func (b *Bundle) setCSV(o rendered.Object) error {
	csv := &v1alpha1.ClusterServiceVersion{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.JSON, csv); err != nil {
		return errorAt(o.Origin, "not a valid ClusterServiceVersion: %s", clip(err.Error()))
	}
	b.CSV, b.Origin, b.Name = csv, o.Origin, csv.Name
	if version := csv.Spec.Version.String(); text(specOf(o.JSON), "version") != "" {
		b.Version = version
	}
	return nil
}

// holdsCSV finds a ClusterServiceVersion without decoding more than necessary. An unreadable file is not one.
func holdsCSV(fsys fs.FS, dir string) bool {
	r := newReader(fsys)
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		data, err := r.file(name, entry)
		if err == nil && slices.ContainsFunc(manifest.Scan(name, data).Docs, isCSV) {
			return true
		}
	}
	return false
}

func isCSV(d *manifest.Document) bool { return d.Kind() == kindCSV }

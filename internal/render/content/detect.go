package content

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	kindCSV = "ClusterServiceVersion"
	kindCRD = "CustomResourceDefinition"

	chartFile   = "Chart.yaml"
	archiveExt  = ".tgz"
	manifestDir = "manifests"
)

// detect returns the kind and folder of the content, which is the parent of the manifests/ of a bundle if the user names
// that folder.
func (l *loader) detect(dir string) (Kind, string) {
	entries, err := l.tree.ReadDir(dir)
	if err != nil { // a file
		return l.decideFile(dir), dir
	}
	has := func(is func(name string) bool) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return is(e.Name()) })
	}
	switch {
	case bundle.Is(l.fsys, dir):
		return Bundle, dir
	case has(func(name string) bool { return name == chartFile }):
		return Chart, dir
	case has(objects.IsKustomizationFile):
		return Kustomization, dir
	case path.Base(dir) == manifestDir && bundle.Is(l.fsys, path.Dir(dir)):
		return Bundle, path.Dir(dir)
	case has(func(name string) bool { return l.decideFile(path.Join(dir, name)) == Catalog }):
		return Catalog, dir
	case len(entries) == 1 && path.Ext(entries[0].Name()) == archiveExt:
		return Chart, path.Join(dir, entries[0].Name()) // as operator-controller finds charts in images
	}
	return Manifests, dir
}

func (l *loader) decideFile(name string) Kind {
	switch path.Ext(name) {
	case archiveExt:
		return Chart
	case ".yaml", ".yml", ".json":
		if l.isCatalog(name) {
			return Catalog
		}
	}
	return Manifests
}

// isCatalog reports whether a file contains a bundle of a file-based catalog.
func (l *loader) isCatalog(name string) bool {
	data, err := l.tree.ReadFile(name)
	return err == nil && bundle.IsCatalog(name, data)
}

// chartName returns the name and version in a chart's folder; an archive is named after its file.
func (l *loader) chartName(dir string) (name, version string) {
	data, err := l.tree.ReadFile(path.Join(dir, chartFile))
	if err != nil {
		name = strings.TrimSuffix(path.Base(dir), archiveExt)
		if i := strings.LastIndex(name, "-"); i > 0 {
			return name[:i], name[i+1:]
		}
		return name, ""
	}
	var said struct{ Name, Version string }
	if yaml.Unmarshal(data, &said) != nil {
		return "", ""
	}
	return said.Name, said.Version
}

// reason removes the path from an error, because the message already contains it.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

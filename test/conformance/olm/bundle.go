package olm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"sigs.k8s.io/yaml"
)

// Bundle is a registry+v1 bundle, or a Helm chart.
type Bundle struct {
	Package string
	Version string

	annotations map[string]string
	files       map[string][]byte
	chart       bool
}

// name is that of the bundle in a catalog.
func (b Bundle) name() string { return b.Package + ".v" + b.Version }

// ReadBundle reads the folder of a bundle, whose name is the version. Pairs of texts are replaced, so that a test can make
// several bundles from one folder that share no objects.
func ReadBundle(folder string, replaced ...string) (Bundle, error) {
	files, err := readFiles(folder, replaced)
	b := Bundle{Version: filepath.Base(folder), files: files}
	if err != nil {
		return b, err
	}
	var metadata struct{ Annotations map[string]string }
	if err := yaml.Unmarshal(b.files["metadata/annotations.yaml"], &metadata); err != nil {
		return b, err
	}
	b.annotations = metadata.Annotations
	b.Package = b.annotations["operators.operatorframework.io.bundle.package.v1"]
	if b.Package == "" {
		return b, fmt.Errorf("%s: metadata/annotations.yaml names no package", folder)
	}
	return b, nil
}

// ReadChart reads the folder of a Helm chart, which the gate HelmChartSupport allows instead of a bundle. Pairs of texts are
// replaced.
func ReadChart(folder string, replaced ...string) (Bundle, error) {
	files, err := readFiles(folder, replaced)
	b := Bundle{files: files, chart: true}
	if err != nil {
		return b, err
	}
	var metadata struct{ Name, Version string }
	if err := yaml.Unmarshal(b.files["Chart.yaml"], &metadata); err != nil {
		return b, err
	}
	b.Package, b.Version = metadata.Name, metadata.Version
	return b, nil
}

// readFiles reads the files of a folder by path, and replaces pairs of texts.
func readFiles(folder string, replaced []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	replacer := strings.NewReplacer(replaced...)
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = []byte(replacer.Replace(string(text)))
		return err
	})
	return files, err
}

// Write writes the files of the bundle into a folder, for the commands of salint.
func (b Bundle) Write(folder string) error {
	for path, text := range b.files {
		if err := writeFile(filepath.Join(folder, path), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// archive returns the files. Those of a chart are in a folder with its name, as Helm requires.
func (b Bundle) archive() ([]byte, error) {
	var out bytes.Buffer
	folder := ""
	if b.chart {
		folder = b.Package + "/"
	}
	w := tar.NewWriter(&out)
	for _, path := range slices.Sorted(maps.Keys(b.files)) {
		header := &tar.Header{Name: folder + path, Mode: 0o644, Size: int64(len(b.files[path]))}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(b.files[path]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

// image returns the image, with the archive as its only layer.
func (b Bundle) image() (v1.Image, error) {
	archive, err := b.archive()
	if err != nil {
		return nil, err
	}
	if b.chart {
		return chartImage(archive)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil })
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	return mutate.Config(image, v1.Config{Labels: b.annotations})
}

// The media types by which Helm recognizes the image of a chart.
const (
	chartConfig types.MediaType = "application/vnd.cncf.helm.config.v1+json"
	chartLayer  types.MediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// chartImage returns an image as `helm push` makes it.
func chartImage(archive []byte) (v1.Image, error) {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	if _, err := w.Write(archive); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), chartConfig)
	return mutate.AppendLayers(image, static.NewLayer(compressed.Bytes(), chartLayer))
}

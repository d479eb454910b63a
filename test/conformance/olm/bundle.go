package olm

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Bundle is a registry+v1 bundle.
type Bundle struct {
	Package string
	Version string

	annotations map[string]string
	files       map[string][]byte
}

// name is that of the bundle in a catalog.
func (b Bundle) name() string { return b.Package + ".v" + b.Version }

// ReadBundle reads the folder of a bundle, whose name is the version. Pairs of texts are replaced, so that a test can make
// several bundles from one folder that share no objects.
func ReadBundle(folder string, replaced ...string) (Bundle, error) {
	b := Bundle{Version: filepath.Base(folder), files: map[string][]byte{}}
	replacer := strings.NewReplacer(replaced...)
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		b.files[path] = []byte(replacer.Replace(string(text)))
		return err
	})
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

// Write writes the files of the bundle into a folder, for the commands of salint.
func (b Bundle) Write(folder string) error {
	for path, text := range b.files {
		if err := writeFile(filepath.Join(folder, path), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// archive returns the only layer of the image.
func (b Bundle) archive() ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, path := range slices.Sorted(maps.Keys(b.files)) {
		header := &tar.Header{Name: path, Mode: 0o644, Size: int64(len(b.files[path]))}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(b.files[path]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

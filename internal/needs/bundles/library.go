package bundles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/content"
)

// Source is where the bundle of an extension is.
type Source struct {
	// Dir is the folder, from the root of the repository.
	Dir string
	// Place says who names it, for messages: file:line:column, or the flag. File and Line are the same for a file of the
	// repository, else empty.
	Place string
	File  string
	Line  int
	// Values are the files of values for a chart, from the root as well; KubeVersion and APIVersions are for charts too.
	Values      []string
	KubeVersion string
	APIVersions []string
}

// Revision is the repository at one time: its files, and the bundles by the names of their extensions.
type Revision struct {
	// Files is the repository; nothing outside of it is read.
	Files   fs.FS
	Sources map[string]Source
}

// Library reads bundles when they are asked for, each once. It may be used by several goroutines. The zero value knows of
// none.
type Library struct {
	Revision
	// Base gives the repository as it was at the revision that it is compared with; nil without one.
	Base   func(context.Context) (Revision, error)
	Limits render.Limits
	// Define finds the CustomResourceDefinitions of kinds in the repository; nil finds none.
	Define func(ctx context.Context, kinds []string) ([]map[string]any, error)

	base     once[struct{}, Revision]
	contents once[contentKey, *content.Content]
	defined  once[string, []map[string]any]
	answers  once[answerKey, *Needs]
	growths  once[contentKey, *Growth]
}

// contentKey is what a bundle comes to depends on.
type contentKey struct {
	base                                  bool
	dir, extension, pkg, namespace, watch string
	serviceCA                             bool
}

// NoBundleError says that nobody names a bundle for an extension.
type NoBundleError struct{ Extension string }

func (e *NoBundleError) Error() string {
	return fmt.Sprintf("no bundle is known for ClusterExtension %s: name its folder by `bundles:` in .salint.yaml or --bundle %s=DIR",
		e.Extension, e.Extension)
}

// Any tells whether there is a bundle at all.
func (l *Library) Any() bool { return len(l.Sources) > 0 }

// Load gives what the extension would install. The error is a *NoBundleError, or it begins with the place that names the
// bundle.
func (l *Library) Load(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	source, known := l.Sources[i.Extension]
	if !known {
		return nil, &NoBundleError{i.Extension}
	}
	return l.load(ctx, i, l.Revision, source, keyOf(i, source, false))
}

func keyOf(i *installer.Installer, source Source, base bool) contentKey {
	return contentKey{
		base: base, dir: source.Dir, extension: i.Extension, pkg: packageOf(i), namespace: i.Namespace,
		watch: strings.Join(i.WatchNamespaces, "\x00"), serviceCA: i.Resolved.Target.OpenShift(),
	}
}

// packageOf is the package that the extension asks for. A bundle need not say which one it is of.
func packageOf(i *installer.Installer) string {
	if i.From == nil {
		return ""
	}
	extension, _ := olm.ReadExtension(i.From.Node)
	return extension.Package
}

func (l *Library) load(ctx context.Context, i *installer.Installer, r Revision, source Source, key contentKey) (*content.Content, error) {
	loaded, err := l.contents.get(key, func() (*content.Content, error) {
		options := content.Options{
			Namespace: i.Namespace, WatchNamespaces: i.WatchNamespaces, Package: key.pkg, ServiceCA: key.serviceCA,
			Release: i.Extension, KubeVersion: source.KubeVersion, APIVersions: source.APIVersions, Limits: l.Limits,
		}
		for _, name := range source.Values {
			data, err := readFile(r.Files, path.Clean(name))
			if err != nil {
				return nil, err
			}
			options.Values = append(options.Values, render.ValuesFile{Name: name, Data: data})
		}
		return content.Load(ctx, r.Files, path.Clean(source.Dir), options)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: the bundle of ClusterExtension %s: %w", source.Place, i.Extension, err)
	}
	return loaded, nil
}

// readFile reads a file that is not too large.
func readFile(files fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%s lies outside of the repository: nothing there is read", name)
	}
	info, err := fs.Stat(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", name)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > repo.DefaultMaxFileSize:
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", name, repo.DefaultMaxFileSize)
	}
	return fs.ReadFile(files, name)
}

// Bindings are those in the folders of bundles, as their bytes show: they may name roles of the repository.
func (l *Library) Bindings() []*manifest.Document {
	var bindings []*manifest.Document
	for _, name := range slices.Sorted(maps.Keys(l.Sources)) {
		dir := path.Clean(l.Sources[name].Dir)
		if !fs.ValidPath(dir) || dir == "." {
			continue // nothing, or a repository that is read as a whole anyway
		}
		// What cannot be read here is reported when the bundle is loaded.
		_ = fs.WalkDir(l.Files, dir, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || !isManifest(file) {
				return nil
			}
			data, err := readFile(l.Files, file)
			if err != nil || !bytes.Contains(data, []byte("roleRef")) {
				return nil
			}
			for _, doc := range manifest.Scan(file, data).Docs {
				if bytes.Contains(doc.Bytes(), []byte("roleRef")) {
					bindings = append(bindings, doc)
				}
			}
			return nil
		})
	}
	return bindings
}

func isManifest(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(file))
}

// Lacks tells whether a file or folder is not in the repository.
func (l *Library) Lacks(name string) bool {
	if l.Files == nil {
		return true
	}
	_, err := fs.Stat(l.Files, name)
	return err != nil
}

// Exclude gives the patterns of the files that belong to registry+v1 bundles. Nobody applies them as they stand.
func (l *Library) Exclude() []string {
	var patterns []string
	for _, source := range l.Sources {
		dir := path.Clean(source.Dir)
		if fs.ValidPath(dir) && dir != "." && bundle.Is(l.Files, dir) {
			patterns = append(patterns, glob.Quote(dir)+"/**")
		}
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// once keeps the answers to questions, each computed once.
type once[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]func() (V, error)
}

func (o *once[K, V]) get(key K, compute func() (V, error)) (V, error) {
	o.mu.Lock()
	if o.known == nil {
		o.known = map[K]func() (V, error){}
	}
	answer, known := o.known[key]
	if !known {
		answer = sync.OnceValues(compute)
		o.known[key] = answer
	}
	o.mu.Unlock()
	return answer()
}

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
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/needs/preflight/installer"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/render/content"
)

// Source is the location of an extension's bundle.
type Source struct {
	// Dir is the folder, relative to the root of the repository.
	Dir string
	// Place is what sets the bundle, for messages: file:line:column, or the flag. File and Line are set if it is a file of
	// the repository.
	Place string
	File  string
	Line  int
	// Values are the values files for a chart, relative to the root as well; KubeVersion and APIVersions apply to charts
	// too.
	Values      []string
	KubeVersion string
	APIVersions []string
}

// Revision is the repository at one revision: its files, and the bundles by extension.
type Revision struct {
	// Files is the repository; nothing outside it is read.
	Files   fs.FS
	Sources map[string]Source
}

// Library reads bundles on demand, each once. It is safe for concurrent use. The zero value has no bundles.
type Library struct {
	Revision
	// Base returns the repository at the base revision; nil if there is none.
	Base   func(context.Context) (Revision, error)
	Limits render.Limits
	// Define returns the CustomResourceDefinitions of kinds in the repository; nil finds none.
	Define func(ctx context.Context, kinds []string) ([]map[string]any, error)

	base     once[struct{}, Revision]
	contents once[contentKey, *content.Content]
	defined  once[string, []map[string]any]
	answers  once[answerKey, *Needs]
	growths  once[contentKey, *Growth]
}

// contentKey identifies the content of a bundle for the settings of an extension.
type contentKey struct {
	base                                                   bool
	dir, extension, pkg, namespace, watch, config, support string
	serviceCA                                              bool
}

// NoBundleError reports that no bundle is set for an extension.
type NoBundleError struct{ Extension string }

func (e *NoBundleError) Error() string {
	return fmt.Sprintf("the bundle of ClusterExtension %s is unknown. Set its folder with `bundles:` in .salint.yaml, or pass --bundle %s=DIR",
		e.Extension, e.Extension)
}

// Any reports whether there is any bundle.
func (l *Library) Any() bool { return len(l.Sources) > 0 }

// Load returns what the extension would install. The error is a *NoBundleError, or begins with what sets the bundle; it wraps a
// [bundle.UnsupportedError] if the release does not install the bundle, whatever its gates.
func (l *Library) Load(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	loaded, err := l.LoadAnyway(ctx, i)
	if err != nil {
		return nil, err
	}
	if err := loaded.Refusal(); err != nil {
		return nil, l.located(i, l.Sources[i.Extension], err)
	}
	return loaded, nil
}

// LoadAnyway is Load without the error about a bundle that the release does not install: the obstacles of the content say why.
func (l *Library) LoadAnyway(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	source, known := l.Sources[i.Extension]
	if !known {
		return nil, &NoBundleError{i.Extension}
	}
	return l.load(ctx, i, l.Revision, source, keyOf(i, source, false))
}

func keyOf(i *installer.Installer, source Source, base bool) contentKey {
	return contentKey{
		base: base, dir: source.Dir, extension: i.Extension, pkg: packageOf(i), namespace: i.Namespace,
		watch: strings.Join(i.WatchNamespaces, "\x00"), config: fmt.Sprint(i.Config), support: i.Support().Key(), serviceCA: i.ServiceCA(),
	}
}

// packageOf returns the package of the extension. Bundles need not name theirs.
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
			Namespace: i.Namespace, WatchNamespaces: i.WatchNamespaces, Config: i.Config, Package: key.pkg, ServiceCA: key.serviceCA, Support: i.Support(), Anyway: true,
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
	return loaded, l.located(i, source, err)
}

// located adds to an error what sets the bundle; nil remains nil.
func (l *Library) located(i *installer.Installer, source Source, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: the bundle of ClusterExtension %s: %w", source.Place, i.Extension, err)
}

// readFile reads a file of limited size.
func readFile(files fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%s is "+render.Outside, name)
	}
	info, err := fs.Stat(files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the file %s does not exist", name)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > worktree.DefaultMaxFileSize:
		return nil, fmt.Errorf("%s is not a file, or has more than %d bytes", name, worktree.DefaultMaxFileSize)
	}
	return fs.ReadFile(files, name)
}

// Bindings returns the bindings in the folders of bundles, recognized by their bytes, because they can reference roles of
// the repository.
func (l *Library) Bindings() []*manifest.Document {
	var bindings []*manifest.Document
	for _, name := range slices.Sorted(maps.Keys(l.Sources)) {
		dir := path.Clean(l.Sources[name].Dir)
		if !fs.ValidPath(dir) || dir == "." {
			continue // there is none, or it is the whole repository, which is read anyway
		}
		// Errors are reported when the bundle is loaded.
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

// Lacks reports whether a file or folder does not exist in the repository.
func (l *Library) Lacks(name string) bool {
	if l.Files == nil {
		return true
	}
	_, err := fs.Stat(l.Files, name)
	return err != nil
}

// Exclude returns the patterns of the files of registry+v1 bundles, which are not applied directly.
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

// once caches results by key, each computed once.
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

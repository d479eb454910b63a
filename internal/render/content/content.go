package content

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/bundle"
	"github.com/salint/salint/internal/kube/bundlesupport"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

// Kind is the kind of content of a folder.
type Kind string

// The kinds of content, as in messages. operator-controller installs bundles, and charts if its feature gate
// HelmChartSupport is enabled (v1.4 to v1.10); the others can only be inspected.
const (
	Bundle        Kind = "registry+v1 bundle"
	Catalog       Kind = "file-based catalog"
	Chart         Kind = "Helm chart"
	Kustomization Kind = "kustomization"
	Manifests     Kind = "manifests"
)

// Options are what an extension configures for its content.
type Options struct {
	// Namespace is spec.namespace; the default for a chart is "default".
	Namespace string
	// WatchNamespaces, Package and ServiceCA apply to bundles, as in [bundle.Options].
	WatchNamespaces []string
	Package         string
	ServiceCA       bool
	// Config is spec.config, as in [bundle.Options].
	Config any
	// Support is the release that installs bundles; Anyway and OwnMode are those of [bundle.Options].
	Support         bundlesupport.Release
	Anyway, OwnMode bool
	// Release is the release name of a chart, which is the name of the extension. Values, KubeVersion and APIVersions apply
	// to charts, as in [render.ChartOptions].
	Release     string
	Values      []render.ValuesFile
	KubeVersion string
	APIVersions []string
	// Limits and Workers apply to charts and kustomizations, as in [render.ChartOptions].
	Limits  render.Limits
	Workers *render.Workers
}

// Content is the content of a folder.
type Content struct {
	Kind Kind
	// Objects are the objects that would be applied. Their origins are files of the given tree.
	Objects []rendered.Object
	// Package, Name and Version are those of the bundle or chart; "" for others.
	Package, Name, Version string
	// Origin is the position of the ClusterServiceVersion, of Chart.yaml, or of the first object.
	Origin rendered.Origin
	// Notes describe the objects: which are hooks or CRDs, and what was not checked.
	Notes []string
	// Watched are the namespaces that the operator of a bundle watches; "" is all of them.
	Watched []string
	// Obstacles are why the release does not install a bundle, or installs it only with a gate.
	Obstacles []bundlesupport.Obstacle
}

// Refusal returns the [*bundle.UnsupportedError] about obstacles that no gate removes; nil if there are none.
func (c *Content) Refusal() error { return bundle.Refusal(c.Origin, c.Obstacles) }

// Load reads a folder of a tree, or a file: an archive of a chart, a catalog, or a manifest. It reads nothing outside the
// tree, so the tree of an overlay must include its bases: pass the repository, not the folder. An fs.FS of an os.Root
// cannot be left.
//
// The kind is decided in this order: a ClusterServiceVersion in manifests/, Chart.yaml, a kustomization, a file-based
// catalog, the archive of a chart, manifests. Errors include the position, and are those of the packages bundle and render;
// a folder without objects is an error as well.
func Load(ctx context.Context, fsys fs.FS, dir string, o Options) (*Content, error) {
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) {
		return nil, fmt.Errorf("%s is "+render.Outside, dir)
	}
	if _, err := fs.Stat(fsys, dir); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, reason(err))
	}
	l := &loader{ctx: ctx, fsys: fsys, tree: render.FromFS(fsys), options: o}
	kind, dir := l.detect(dir)
	content, err := l.load(kind, dir)
	if err != nil {
		return nil, err
	}
	if len(content.Objects) == 0 {
		return nil, fmt.Errorf("%s contains no objects (read as %s)", dir, kind)
	}
	content.Kind = kind
	if content.Origin.File == "" {
		content.Origin = content.Objects[0].Origin
	}
	return content, nil
}

type loader struct {
	ctx     context.Context
	fsys    fs.FS
	tree    render.Files
	options Options
}

func (l *loader) load(kind Kind, dir string) (*Content, error) {
	switch kind {
	case Bundle, Catalog:
		return l.bundle(dir)
	case Chart:
		return l.chart(dir)
	case Kustomization:
		return l.kustomization(dir)
	}
	objects, err := l.manifests(dir)
	return &Content{Objects: objects}, err
}

func (l *loader) bundle(dir string) (*Content, error) {
	b, err := bundle.Load(l.fsys, dir)
	if err != nil {
		return nil, err
	}
	options := bundle.Options{
		Namespace: l.options.Namespace, WatchNamespaces: l.options.WatchNamespaces,
		Package: l.options.Package, ServiceCA: l.options.ServiceCA, Config: l.options.Config, Release: l.options.Support, Anyway: l.options.Anyway, OwnMode: l.options.OwnMode,
	}
	objects, err := b.Render(options)
	if err != nil {
		return nil, err
	}
	content := &Content{
		Objects: objects, Package: b.Package, Name: b.Name, Version: b.Version, Origin: b.Origin, Notes: b.Notes,
	}
	content.Watched, content.Obstacles = b.Judge(options)
	if content.Package == "" {
		content.Package = l.options.Package
	}
	return content, nil
}

func (l *loader) chart(dir string) (*Content, error) {
	content := &Content{Origin: rendered.Origin{File: dir, Line: 1, Chart: dir}}
	if path.Ext(dir) != archiveExt {
		content.Origin.File = path.Join(dir, chartFile)
	}
	content.Name, content.Version = l.chartName(dir)
	objects, err := render.Chart(l.ctx, l.tree, dir, render.ChartOptions{
		Limits: l.options.Limits, Workers: l.options.Workers,
		ReleaseName: l.options.Release, Namespace: l.options.Namespace, Values: l.options.Values,
		KubeVersion: l.options.KubeVersion, APIVersions: l.options.APIVersions,
		Note: func(note string) { content.Notes = append(content.Notes, note) },
	})
	if err != nil {
		return nil, err
	}
	installed, more := withoutTests(objects)
	content.Objects, content.Notes = installed, append(content.Notes, more...)
	return content, nil
}

func (l *loader) kustomization(dir string) (*Content, error) {
	content := &Content{}
	objects, err := render.Kustomize(l.ctx, l.tree, dir, render.KustomizeOptions{
		Limits: l.options.Limits, Workers: l.options.Workers,
		Remote: func(e render.RemoteError) { content.Notes = append(content.Notes, e.Error()) },
	})
	content.Objects = objects
	return content, err
}

// NotInstalledError is the error about a folder around or inside of a bundle. Paths are relative to the root of the tree.
type NotInstalledError struct {
	// File and Line are the place of the ClusterServiceVersion. Folder is the folder of the bundle, "" if it is unknown.
	File   string
	Line   int
	Folder string
}

func (e *NotInstalledError) Error() string {
	use := "the folder that contains manifests/"
	if e.Folder != "" {
		use = "the folder " + e.Folder
	}
	return fmt.Sprintf("%s:%d: a %s is not installed directly: it is part of the folder manifests/ of a bundle. Use %s", e.File, e.Line, kindCSV, use)
}

// bundleFolder returns the folder of the bundle that a file is part of; "" if it is not in the tree.
func bundleFolder(file string) string {
	manifests := path.Dir(file)
	if path.Base(manifests) != "manifests" {
		return ""
	}
	return path.Dir(manifests)
}

func (l *loader) manifests(dir string) ([]rendered.Object, error) {
	objects, err := render.Folder(l.ctx, l.tree, dir)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(objects, func(o rendered.Object) bool { return o.Kind() == kindCSV })
	if i >= 0 {
		at := objects[i].Origin
		return nil, &NotInstalledError{File: at.File, Line: at.Line, Folder: bundleFolder(at.File)}
	}
	return objects, nil
}

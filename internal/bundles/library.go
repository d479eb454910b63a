package bundles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/content"
	"github.com/salint/salint/internal/glob"
	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/olm/bundle"
	"github.com/salint/salint/internal/preflight"
	"github.com/salint/salint/internal/preflight/installer"
	"github.com/salint/salint/internal/render"
)

// Source is where the bundle of an extension is.
type Source struct {
	// Dir is the folder, from the root of the repository.
	Dir string
	// Place says who names it: file:line:column, or the flag.
	Place string
}

// Library reads bundles when they are asked for, each once. It may be used by several goroutines.
type Library struct {
	// Files is the repository; nothing outside of it is read.
	Files fs.FS
	// Base gives the repository as it was at the revision that it is compared with; nil without one.
	Base func(context.Context) (fs.FS, error)
	// Sources are the bundles by the names of extensions.
	Sources map[string]Source
	Limits  render.Limits

	mu       sync.Mutex
	contents map[contentKey]func() (*content.Content, error)
	answers  map[answerKey]func() (*preflight.Result, error)
}

// contentKey is what a bundle comes to depends on.
type contentKey struct {
	base                          bool
	dir, extension, namespace, on string
	serviceCA                     bool
	values                        string
}

type answerKey struct {
	unit      *inventory.Unit
	extension *inventory.Object
	user      string
}

// NoBundleError says that nobody names a bundle for an extension.
type NoBundleError struct{ Extension string }

func (e *NoBundleError) Error() string {
	return fmt.Sprintf("no bundle is known for ClusterExtension %s: name its folder by `bundles:` in .salint.yaml or --bundle %s=DIR",
		e.Extension, e.Extension)
}

// Load gives what the extension would install. The error is a *NoBundleError, or it begins with the place that names the
// bundle.
func (l *Library) Load(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	return l.load(ctx, i, false)
}

// LoadBase is Load at the base revision. The error is fs.ErrNotExist where there was no such folder.
func (l *Library) LoadBase(ctx context.Context, i *installer.Installer) (*content.Content, error) {
	if l.Base == nil {
		return nil, errors.New("nothing says which revision to compare with")
	}
	return l.load(ctx, i, true)
}

func (l *Library) load(ctx context.Context, i *installer.Installer, base bool) (*content.Content, error) {
	source, known := l.Sources[i.Extension]
	if !known {
		return nil, &NoBundleError{i.Extension}
	}
	options := l.options(i)
	key := contentKey{
		base: base, dir: source.Dir, extension: i.Extension, namespace: i.Namespace,
		on: strings.Join(i.WatchNamespaces, "\x00"), serviceCA: options.ServiceCA,
	}
	for _, file := range options.Values {
		key.values += string(file.Data)
	}
	loaded, err := l.once(key, func() (*content.Content, error) {
		files := l.Files
		if base {
			var err error
			if files, err = l.Base(ctx); err != nil {
				return nil, err
			}
		}
		return content.Load(ctx, files, path.Clean(source.Dir), options)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: the bundle of ClusterExtension %s: %w", source.Place, i.Extension, err)
	}
	return loaded, nil
}

func (l *Library) once(key contentKey, load func() (*content.Content, error)) (*content.Content, error) {
	l.mu.Lock()
	if l.contents == nil {
		l.contents = map[contentKey]func() (*content.Content, error){}
	}
	loaded, known := l.contents[key]
	if !known {
		loaded = sync.OnceValues(load)
		l.contents[key] = loaded
	}
	l.mu.Unlock()
	return loaded()
}

// options are what the extension adds to its bundle. A chart gets spec.config.inline as its values.
func (l *Library) options(i *installer.Installer) content.Options {
	o := content.Options{
		Namespace: i.Namespace, WatchNamespaces: i.WatchNamespaces, Release: i.Extension, Limits: l.Limits,
		ServiceCA: i.Verdict.Target.OpenShift(),
	}
	if i.From == nil {
		return o
	}
	spec, _ := i.From.JSON()["spec"].(map[string]any)
	config, _ := spec["config"].(map[string]any)
	inline, _ := config["inline"].(map[string]any)
	if len(inline) == 0 {
		return o
	}
	if values, err := yaml.Marshal(inline); err == nil {
		o.Values = []render.ValuesFile{{Name: "spec.config.inline", Data: values}}
	}
	return o
}

// Preflight compares what the bundle needs with what the identity holds for whom OLM acts, or for another one that is to
// take its place. It is nil where OLM acts as its own account. The errors are those of Load and of preflight.Check.
func (l *Library) Preflight(ctx context.Context, i *installer.Installer) (*preflight.Result, error) {
	if i.NotActing != "" {
		return nil, nil
	}
	loaded, err := l.Load(ctx, i)
	if err != nil {
		return nil, err
	}
	key := answerKey{i.Unit, i.From, i.Identity.User}
	l.mu.Lock()
	if l.answers == nil {
		l.answers = map[answerKey]func() (*preflight.Result, error){}
	}
	answer, known := l.answers[key]
	if !known {
		answer = sync.OnceValues(func() (*preflight.Result, error) { return check(i, loaded) })
		l.answers[key] = answer
	}
	l.mu.Unlock()
	return answer()
}

func check(i *installer.Installer, loaded *content.Content) (*preflight.Result, error) {
	result, err := preflight.Check(preflight.Input{
		Objects: loaded.Objects, Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity,
		Unit: i.Unit, From: i.From, Resources: preflight.ResourcesOf(i.Unit, loaded.Objects),
		CollectionVerbs: preflight.CollectionVerbs(i.Runtime), Finalizers: owner(i), Escalation: preflight.Hold,
	})
	return &result, err
}

// owner is what has its finalizers updated. The revisions of Boxcutter are counted, so any of them may be meant.
func owner(i *installer.Installer) preflight.Finalizers {
	owner := preflight.FinalizersOf(i.Runtime, i.Extension, 1)
	if owner.Name != i.Extension {
		owner.Name = ""
	}
	return owner
}

// Exclude gives the patterns of the files that belong to bundles. Nobody applies them as they stand.
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/needs/bundles"
	"github.com/salint/salint/internal/output/report"
	"github.com/salint/salint/internal/render"
)

// readBundles sets the bundles of the configuration and of the command line, which takes precedence.
func (l *linter) readBundles() error {
	if l.repo == nil {
		return nil
	}
	named, err := l.bundlesOfFlags()
	if err != nil {
		return err
	}
	library := &bundles.Library{
		Revision: bundles.Revision{Files: l.repo.FS(), Sources: named.over(l.config)},
		Limits:   render.Limits{Time: l.config.Limits.RenderTime, Memory: l.config.Limits.RenderMemory},
	}
	if rev := l.ctx.String("changed-since"); rev != "" && library.Any() {
		library.Base = func(ctx context.Context) (bundles.Revision, error) { return l.baseOf(ctx, rev, named) }
	}
	l.options.Bundles = library
	return nil
}

// namedBundles are the folders of --bundle, by extension.
type namedBundles struct {
	*linter
	dirs map[string]bundles.Source
}

func (l *linter) bundlesOfFlags() (namedBundles, error) {
	named := namedBundles{l, map[string]bundles.Source{}}
	for _, flag := range l.ctx.StringSlice("bundle") {
		name, dir, found := strings.Cut(flag, "=")
		if !found || name == "" || dir == "" {
			return named, fmt.Errorf("--bundle %s: use EXTENSION=DIR, for example --bundle argocd=bundles/argocd-operator", flag)
		}
		inside, err := l.inRepository(dir)
		if err != nil {
			return named, fmt.Errorf("--bundle %s: %w", flag, err)
		}
		if other, twice := named.dirs[name]; twice && other.Dir != inside {
			return named, fmt.Errorf("--bundle %s: %s is also given as the bundle of %s: give only one", flag, other.Dir, name)
		}
		named.dirs[name] = bundles.Source{Dir: inside, Place: "--bundle " + flag}
	}
	return named, nil
}

// over returns the bundles of a configuration, replaced by those of the flags.
func (n namedBundles) over(c *settings.Config) map[string]bundles.Source {
	sources := map[string]bundles.Source{}
	file := fileOf(c, n.repo)
	for name, dir := range c.Bundles {
		at := bundles.Source{Dir: filepath.ToSlash(dir), Line: c.BundleAt(name)}
		at.Place = fmt.Sprintf("%s:%d", report.Rel(n.repo.Root, n.repo.WorkDir, file), at.Line)
		if filepath.IsLocal(file) {
			at.File = file
		}
		sources[name] = at
	}
	for name, source := range n.dirs {
		sources[name] = source
	}
	for name, source := range sources {
		chart := c.Helm[source.Dir]
		source.KubeVersion, source.APIVersions = chart.KubeVersion, chart.APIVersions
		if len(chart.Values) > 0 {
			source.Values = chart.Values[0]
		}
		sources[name] = source
	}
	return sources
}

// fileOf returns the file of a configuration, relative to the root of the repository.
func fileOf(c *settings.Config, r *repo.Repo) string {
	abs := c.Path
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	file, err := filepath.Rel(r.Root, abs)
	if err != nil {
		return c.Path
	}
	return filepath.ToSlash(file)
}

// baseOf returns the repository at the base revision, with the bundles of the configuration at that time.
func (l *linter) baseOf(ctx context.Context, rev string, named namedBundles) (bundles.Revision, error) {
	files, err := l.repo.Git.BaseFS(ctx, rev)
	if err != nil {
		return bundles.Revision{}, err
	}
	was := settings.Default()
	if file := fileOf(l.config, l.repo); l.config.Path != "" && fs.ValidPath(file) {
		data, err := fs.ReadFile(files, file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return bundles.Revision{}, err
		}
		if was, err = settings.Parse(l.config.Path, data); err != nil {
			return bundles.Revision{}, err
		}
	}
	return bundles.Revision{Files: files, Sources: named.over(was.RelativeTo(l.root()))}, nil
}

// inRepository converts a path of the command line to one relative to the root of the repository.
func (l *linter) inRepository(name string) (string, error) {
	abs, err := filepath.EvalSymlinks(l.abs(name))
	if err != nil {
		return "", fmt.Errorf("%s does not exist", name)
	}
	inside, err := filepath.Rel(l.repo.Root, abs)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is outside the repository %s, so it is not read", name, l.repo.Root)
	}
	return filepath.ToSlash(inside), nil
}

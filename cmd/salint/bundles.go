package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/bundles"
	"github.com/salint/salint/internal/render"
	"github.com/salint/salint/internal/report"
)

// readBundles finds out which bundles the configuration and the command line name. The latter goes first.
func (l *linter) readBundles() error {
	if l.repo == nil {
		return nil
	}
	library := &bundles.Library{
		Files: l.repo.FS(), Sources: map[string]bundles.Source{},
		Limits: render.Limits{Time: l.config.Limits.RenderTime, Memory: l.config.Limits.RenderMemory},
	}
	if rev := l.ctx.String("changed-since"); rev != "" {
		library.Base = func(ctx context.Context) (fs.FS, error) { return l.repo.BaseFS(ctx, rev) }
	}
	for name, dir := range l.config.Bundles {
		place := report.Rel(l.repo.Root, l.repo.WorkDir, l.configFile())
		library.Sources[name] = bundles.Source{Dir: filepath.ToSlash(dir), Place: place}
	}
	for _, flag := range l.ctx.StringSlice("bundle") {
		name, dir, found := strings.Cut(flag, "=")
		if !found || name == "" || dir == "" {
			return fmt.Errorf("--bundle %s: write EXTENSION=DIR, as in --bundle argocd=bundles/argocd-operator", flag)
		}
		inside, err := l.inRepository(dir)
		if err != nil {
			return fmt.Errorf("--bundle %s: %w", flag, err)
		}
		library.Sources[name] = bundles.Source{Dir: inside, Place: "--bundle " + flag}
	}
	l.options.Bundles = library
	return nil
}

// configFile is the configuration that was read, from the root of the repository.
func (l *linter) configFile() string {
	file, err := filepath.Rel(l.repo.Root, l.config.Path)
	if err != nil {
		return l.config.Path
	}
	return filepath.ToSlash(file)
}

// inRepository turns a path of the command line into one from the root of the repository.
func (l *linter) inRepository(name string) (string, error) {
	abs, err := filepath.EvalSymlinks(l.abs(name))
	if err != nil {
		return "", fmt.Errorf("there is no %s", name)
	}
	inside, err := filepath.Rel(l.repo.Root, abs)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s lies outside of the repository %s: nothing there is read", name, l.repo.Root)
	}
	return filepath.ToSlash(inside), nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/salint/salint/internal/render/reuse/disk"
)

// openStore opens the folder with the results of earlier builds, if the user has set one and the run can use it. The returned function
// closes it.
func (l *linter) openStore(ctx context.Context) (closeStore func(), err error) {
	dir, wrap := l.cacheDir()
	if dir == "" || l.options.Fixes.Apply || l.options.Fixes.Prove {
		return func() {}, nil
	}
	if err := l.checkCache(ctx, dir); err != nil {
		return nil, wrap(err)
	}
	identity, err := disk.Identity()
	if err != nil {
		return nil, err
	}
	if l.store, err = disk.Open(dir); err != nil {
		return nil, wrap(err)
	}
	l.options.Store, l.options.StoreScope = l.store, identity
	return func() { l.store.Close() }, nil
}

// cacheDir returns the folder of the command line or of the configuration, and a function that adds to an error where it was set. It
// is "" if there is none, and for standard input, which builds nothing.
func (l *linter) cacheDir() (dir string, wrap func(error) error) {
	flag := l.ctx.String("cache")
	switch {
	case l.at.Repo == nil:
		return "", nil
	case flag != "":
		return l.abs(flag), func(err error) error { return fmt.Errorf("--cache %s cannot be used: %w", flag, err) }
	case l.at.Config.Cache == "":
		return "", nil
	}
	dir = filepath.FromSlash(l.at.Config.Cache)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(l.at.Repo.Root, dir)
	}
	return dir, l.at.Config.CacheError
}

// checkCache returns why results in a folder cannot be trusted. Only the command line can name one outside of the repository.
func (l *linter) checkCache(ctx context.Context, dir string) error {
	if l.ctx.String("cache") == "" && !l.at.Repo.Contains(dir) {
		return errors.New("it is outside of the repository: use a folder in it, or name it with --cache")
	}
	return l.at.Repo.CheckPrivate(ctx, dir)
}

// storeText returns what --stats prints about the folder; "" if there is none.
func (l *linter) storeText() string {
	if l.store == nil {
		return ""
	}
	c := l.store.Counters()
	return fmt.Sprintf("%-12shits: %d, misses: %d, ignored entries: %d\n", "cache", c.Hits, c.Misses, c.Ignored)
}

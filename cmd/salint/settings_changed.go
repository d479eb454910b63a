package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
)

// ignoreFiles are the names of files that exclude others.
var ignoreFiles = []string{settings.FileName, ".gitignore", ".helmignore"}

// settingsOf returns those of the files that decide what counts: configurations, policies, the baseline, and ignore files.
func (l *linter) settingsOf(changed map[string]bool) []string {
	named := []string{l.pathInRepository(l.ctx.String("baseline")), l.pathInRepository(l.ctx.String("config"))}
	var policies []string
	for _, dir := range l.options.Policies {
		policies = append(policies, l.pathInRepository(dir))
	}
	var found []string
	for file := range changed {
		isPolicy := slices.ContainsFunc(policies, func(dir string) bool { return dir == "." || dir != "" && strings.HasPrefix(file, dir+"/") })
		if slices.Contains(ignoreFiles, path.Base(file)) || slices.Contains(named, file) || isPolicy {
			found = append(found, file)
		}
	}
	slices.Sort(found)
	return found
}

// pathInRepository returns a path of the command line relative to the repository, with slashes; "" if it is not in it.
func (l *linter) pathInRepository(name string) string {
	if name == "" {
		return ""
	}
	if inside, err := l.inRepository(name); err == nil {
		return inside
	}
	rel, err := filepath.Rel(l.repo.Root, l.abs(name)) // it no longer exists
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// readConfigFrom reads the configuration and its policies as they are at the revision of --config-from.
func (l *linter) readConfigFrom(rev string) error {
	base, err := l.repo.BaseFS(l.ctx.Context, rev)
	if err != nil {
		return fmt.Errorf("--config-from: %w", err)
	}
	l.config, err = l.limited(l.ctx, func(given settings.GivenLimits) (*settings.Config, error) {
		return l.configAt(base, given)
	})
	if err != nil {
		return fmt.Errorf("--config-from %s: %w", rev, err)
	}
	l.options.OpenPolicies = func(dir string, limit int64) (regular.Dir, error) {
		inside := l.pathInRepository(dir)
		if inside == "" {
			return l.repo.OpenNamed(dir, limit)
		}
		sub, err := fs.Sub(base, inside)
		if err == nil {
			_, err = fs.Stat(sub, ".")
		}
		return treeOfRevision{sub}, err
	}
	return nil
}

// configAt reads the configuration of the repository in a revision; if there is none, it returns the defaults.
func (l *linter) configAt(base fs.FS, given settings.GivenLimits) (*settings.Config, error) {
	file := l.configIn(base)
	if file == "" {
		return settings.Default(), nil
	}
	data, err := fs.ReadFile(base, file)
	if err != nil {
		return nil, err
	}
	config, err := settings.Parse(filepath.Join(l.repo.Root, filepath.FromSlash(file)), data)
	if err != nil {
		return nil, err
	}
	config = config.RelativeTo(l.root())
	return config, errors.Join(config.CheckInside(), config.CheckLimits(given))
}

// configIn returns the nearest configuration file of a revision, as settings.Find does in the work tree; "" if there is none.
func (l *linter) configIn(base fs.FS) string {
	for dir := l.pathInRepository(l.repo.ConfigDir()); dir != ""; dir = path.Dir(dir) {
		file := path.Join(dir, settings.FileName)
		if _, err := fs.Stat(base, file); err == nil {
			return file
		}
		if dir == "." {
			break
		}
	}
	return ""
}

// treeOfRevision is a folder in which nothing is open.
type treeOfRevision struct{ fs.FS }

// Close does nothing.
func (treeOfRevision) Close() error { return nil }

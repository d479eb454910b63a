package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
)

// ReadConfig reads a configuration file or, for "", the nearest one of the repository. If there is none, it returns the defaults.
// The file is read with read, or if that is nil from the disk. The limits of the command line are those that a file of the
// repository can lower.
func (w *Workspace) ReadConfig(
	file string, given settings.GivenLimits, read func(file string, limit int64) ([]byte, error),
) (*settings.Config, error) {
	if file != "" {
		file = w.Abs(file)
	} else {
		start, root := w.Dir, ""
		if w.Repo != nil {
			start, root = w.Repo.ConfigDir(), w.Repo.Root
		}
		file = settings.Find(start, root)
	}
	switch {
	case read != nil:
	case w.Repo != nil:
		read = w.Repo.ReadNamed
	default:
		read = regular.ReadFile
	}
	if file == "" {
		return w.narrow(settings.Default(), read)
	}
	loaded, err := settings.Load(file, read)
	if err != nil {
		return nil, err
	}
	loaded = loaded.RelativeTo(w.Root())
	if w.Repo != nil && w.Repo.Contains(file) {
		if err := errors.Join(loaded.CheckInside(), loaded.CheckLimits(given)); err != nil {
			return loaded, err
		}
	}
	return w.narrow(loaded, read)
}

// ConfigFrom reads the configuration of --config-from with the limits of the command line, and returns the files of that revision.
func (w *Workspace) ConfigFrom(ctx context.Context, rev string, given settings.GivenLimits) (*settings.Config, fs.FS, error) {
	base, err := w.Repo.Git.BaseFS(ctx, rev)
	if err != nil {
		return nil, nil, fmt.Errorf("--config-from: %w", err)
	}
	config, err := w.ConfigAt(base, given)
	if err != nil {
		return nil, nil, fmt.Errorf("--config-from %s: %w", rev, err)
	}
	return config.WithLimits(given), base, nil
}

// ConfigAt reads the configuration of the repository in a revision; if there is none, it returns the defaults.
func (w *Workspace) ConfigAt(base fs.FS, given settings.GivenLimits) (*settings.Config, error) {
	read := w.readIn(base)
	file := w.configIn(base)
	if file == "" {
		return w.narrow(settings.Default(), read)
	}
	data, err := fs.ReadFile(base, file)
	if err != nil {
		return nil, err
	}
	config, err := settings.Parse(filepath.Join(w.Repo.Root, filepath.FromSlash(file)), data)
	if err != nil {
		return nil, err
	}
	config = config.RelativeTo(w.Root())
	if err := errors.Join(config.CheckInside(), config.CheckLimits(given)); err != nil {
		return config, err
	}
	return w.narrow(config, read)
}

// configIn returns the nearest configuration file of a revision, as settings.Find does in the work tree; "" if there is none.
func (w *Workspace) configIn(base fs.FS) string {
	for dir := w.PathInRepository(w.Repo.ConfigDir()); dir != ""; dir = path.Dir(dir) {
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

// ConfigFile returns the file of a configuration, relative to the root of the repository.
func (w *Workspace) ConfigFile(c *settings.Config) string {
	abs := c.Path
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	file, err := filepath.Rel(w.Root(), abs)
	if err != nil {
		return c.Path
	}
	return filepath.ToSlash(file)
}

// OpenPoliciesAt returns a function that opens folders of policies as they are in a revision, and those outside of the repository as
// they are.
func (w *Workspace) OpenPoliciesAt(base fs.FS) func(dir string, limit int64) (regular.Dir, error) {
	return func(dir string, limit int64) (regular.Dir, error) {
		inside := w.PathInRepository(dir)
		if inside == "" {
			return w.Repo.OpenNamed(dir, limit)
		}
		sub, err := fs.Sub(base, inside)
		if err == nil {
			_, err = fs.Stat(sub, ".")
		}
		return treeOfRevision{sub}, err
	}
}

// treeOfRevision is a folder in which nothing is open.
type treeOfRevision struct{ fs.FS }

// Close does nothing.
func (treeOfRevision) Close() error { return nil }

// ReadBase reads a file of a revision up to a size in bytes.
func ReadBase(base fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Stat(base, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", name, info.Size(), limit)
	}
	return fs.ReadFile(base, name)
}

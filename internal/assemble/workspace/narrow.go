package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
)

// reader reads a file up to a size in bytes.
type reader = func(file string, limit int64) ([]byte, error)

// maxExtends is how many files can narrow one another.
const maxExtends = 8

// narrow returns a configuration, narrowed by the file that it extends, and by that of the command line. A file of the repository, which a
// pull request can change, can name only files of the repository, and the one of the command line.
func (w *Workspace) narrow(c *settings.Config, read reader) (*settings.Config, error) {
	out, seen := c, []string{w.real(c.Path)}
	add := func(file string, ofCommand bool) (*settings.Config, error) {
		by, err := settings.Load(file, read)
		if err != nil {
			return nil, err
		}
		if by, err = w.asNarrowing(by); err == nil {
			by.SetOfCommand(ofCommand)
			out, seen = out.Narrow(by), append(seen, w.real(file))
		}
		return by, err
	}
	extend := func(from *settings.Config, ofCommand bool) error {
		for from.Extends != "" {
			file, err := w.extended(from)
			if err != nil {
				return from.ExtendsError(err)
			}
			if slices.Contains(seen, w.real(file)) {
				return nil
			}
			if len(seen) > maxExtends {
				return from.ExtendsError(fmt.Errorf("more than %d files extend one another", maxExtends))
			}
			by, err := add(file, ofCommand)
			if errors.Is(err, fs.ErrNotExist) {
				err = errors.New("this file does not exist")
			}
			if err != nil {
				return from.ExtendsError(err)
			}
			from = by
		}
		return nil
	}
	if w.Platform != "" {
		platform, err := add(w.Platform, true)
		if err == nil {
			err = extend(platform, true)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := extend(c, false); err != nil {
		return nil, err
	}
	return out, nil
}

// extended returns the file that a configuration extends.
func (w *Workspace) extended(c *settings.Config) (string, error) {
	file := filepath.FromSlash(c.Extends)
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(c.Path), file)
	}
	if w.Platform != "" && w.real(file) == w.real(w.Platform) {
		return w.Platform, nil
	}
	if w.trusted(c.Path) || w.inside(file) {
		return file, nil
	}
	return "", fmt.Errorf("it is outside of the repository: pass it with --config %s --merge, which can be used for many repositories", c.Extends)
}

// trusted reports whether a file is neither in the repository nor, without one, in the working directory, nor a symbolic link there.
func (w *Workspace) trusted(file string) bool {
	rel, err := filepath.Rel(w.Root(), w.Abs(file))
	return !w.inside(file) && (err != nil || !filepath.IsLocal(rel))
}

// inside reports whether a file is in the repository, where a symbolic link leads.
func (w *Workspace) inside(file string) bool {
	rel, err := filepath.Rel(w.real(w.Root()), w.real(file))
	return err == nil && filepath.IsLocal(rel)
}

// real returns a path without symbolic links, as far as it exists.
func (w *Workspace) real(file string) string {
	file = w.Abs(file)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		return filepath.Join(parent, filepath.Base(file))
	}
	return file
}

// asNarrowing returns a configuration as it narrows others: its policies are found from its folder, and its path patterns are those of the
// repository.
func (w *Workspace) asNarrowing(c *settings.Config) (*settings.Config, error) {
	out := *c
	if w.trusted(c.Path) {
		out.Policies = nil
		for _, dir := range c.Policies {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(filepath.Dir(w.Abs(c.Path)), filepath.FromSlash(dir))
			}
			out.Policies = append(out.Policies, dir)
		}
		return &out, nil
	}
	inside := c.RelativeTo(w.Root())
	out.Policies = inside.Policies
	return &out, inside.CheckInside()
}

// readIn returns a function that reads the files of the repository from a revision, and others as they are.
func (w *Workspace) readIn(base fs.FS) reader {
	return func(file string, limit int64) ([]byte, error) {
		if inside := w.PathInRepository(file); inside != "" {
			return ReadBase(base, inside, limit)
		}
		return regular.ReadFile(file, limit)
	}
}

// PolicyFolders returns the folders of policies that the configuration names, as absolute paths: those of PlatformFolders first.
func (w *Workspace) PolicyFolders() []string {
	dirs := w.PlatformFolders()
	for _, dir := range w.Config.Policies {
		if dir = w.policyFolder(dir); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// PlatformFolders returns those of the configurations that narrow the settings.
func (w *Workspace) PlatformFolders() []string {
	var dirs []string
	for _, by := range w.Config.NarrowedBy() {
		for _, dir := range by.Policies {
			if dir = w.policyFolder(dir); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

func (w *Workspace) policyFolder(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(w.Root(), dir)
}

// NarrowingFiles returns the files that narrow the settings.
func (w *Workspace) NarrowingFiles() []string {
	var files []string
	for _, by := range w.Config.NarrowedBy() {
		files = append(files, by.Path)
	}
	return files
}

// Remarks returns what narrowing configurations, and those that they narrow, set without effect.
func (w *Workspace) Remarks() []string {
	remarks := w.Config.CreatorsWithoutEffect()
	for _, by := range w.Config.NarrowedBy() {
		for _, remark := range by.WithoutEffect() { // in a workspace, one file narrows the settings of several repositories
			remarks = words.AddOnce(remarks, remark)
		}
	}
	return remarks
}

package workspace

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/render/reuse"
)

// Workspace is the repository that a command is about, with its settings.
type Workspace struct {
	// Dir is the working directory, to which paths of the command line are relative.
	Dir string
	// Repo is nil for standard input.
	Repo   *repo.Repo
	Config *settings.Config
	// Members is the file that names the repositories, if Repo is several.
	Members *members.File
	// Platform is the file of the command line that narrows the settings of the repository; "" for none.
	Platform string
	// Requested are the targets of the command line and of Config.
	Requested *loader.RequestedTargets
	// APIVersions are the API versions of --helm-api-versions, with commas between them.
	APIVersions string
	// Builds are shared by all that is read with the settings; nil keeps none.
	Builds *reuse.Cache
}

// Abs returns a path that is relative to the working directory as an absolute path.
func (w *Workspace) Abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Dir, name)
}

// Root returns the folder to which paths of the configuration are relative: the root of the repository or, without one, the
// working directory.
func (w *Workspace) Root() string {
	if w.Repo != nil {
		return w.Repo.Root
	}
	return w.Dir
}

// Rel returns the path of a file of the repository relative to the working directory. Standard input has its own name.
func (w *Workspace) Rel(file string) string {
	if w.Repo == nil {
		return file
	}
	return repo.Rel(w.Repo.Root, w.Repo.WorkDir, file)
}

// Inside converts a path of the command line to one relative to the root of the repository. The error reports that it does not
// exist, or that it is outside.
func (w *Workspace) Inside(name string) (string, error) {
	abs, err := filepath.EvalSymlinks(w.Abs(name))
	if err != nil {
		return "", fmt.Errorf("%s does not exist", name)
	}
	inside, err := filepath.Rel(w.Repo.Root, abs)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is outside the repository %s, so it is not read", name, w.Repo.Root)
	}
	return filepath.ToSlash(inside), nil
}

// PathInRepository does the same for a path that may no longer exist; it returns "" for "", and for a path outside.
func (w *Workspace) PathInRepository(name string) string {
	if name == "" {
		return ""
	}
	if inside, err := w.Inside(name); err == nil {
		return inside
	}
	rel, err := filepath.Rel(w.Repo.Root, w.Abs(name))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// ReadNamed reads a file of the command line, of at most limit bytes. A path in the repository is not followed out of it.
func (w *Workspace) ReadNamed(name string, limit int64) ([]byte, error) {
	read := regular.ReadFile
	if w.Repo != nil {
		read = w.Repo.ReadNamed
	}
	data, err := read(w.Abs(name), limit)
	if errors.Is(err, worktree.ErrOutside) {
		err = errors.New("the symlink leaves the repository: name the file that it leads to")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/regular"
)

// DefaultMaxFileSize is the size above which files are not read, unless the configuration sets another limit.
const DefaultMaxFileSize = 32 << 20

// Repo is the input of a run: the work tree of a git repository or, without git, the paths named. Reads and writes go
// through os.Root, so that neither a symlink nor a race leads outside. Paths are relative to Root and use slashes.
type Repo struct {
	// Root is absolute and free of symlinks.
	Root string
	// GitRoot is Root inside a work tree of git, otherwise "".
	GitRoot string
	// WorkDir is the working directory, absolute and free of symlinks, so that it is comparable with Root.
	WorkDir string

	root *os.Root
	// named are the paths that the user named; ancestors are the folders above them.
	named, ancestors map[string]bool
	limit            int64
	// Probe, if set, is called before every operation of Commit and Recover that changes the disk, and its error takes the place
	// of the operation. Tests use it to simulate a full disk, a kill, and other programs.
	Probe func(operation, path string) error
	// recovered are the temporary folders of killed runs.
	recovered []*tempFolder

	mu    sync.Mutex
	bases map[string]string // revision → commit that Changed and Base compare with
	// noFilters are the settings without which git would start programs that convert the files which it reads.
	noFilters []string
	ignored   trackedIgnored
	links     map[string]string // symlinks that walks found → their targets inside the repository
}

// Open finds the repository that contains the paths, which are absolute or relative to cwd; without paths, the one that
// contains cwd. Without git, the root is the deepest common folder of the paths. A path that does not exist is an error,
// and so are paths in two repositories. A symlink counts as its target.
func Open(cwd string, paths []string) (*Repo, error) {
	workDir, err := realPath(cwd)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	targets := make([]target, len(paths))
	for i, p := range paths {
		if targets[i], err = findTarget(workDir, p); err != nil {
			return nil, err
		}
	}
	gitRoot, err := commonRepository(targets)
	if err != nil {
		return nil, err
	}
	r := &Repo{Root: gitRoot, GitRoot: gitRoot, WorkDir: workDir, limit: DefaultMaxFileSize}
	if gitRoot == "" {
		r.Root = commonFolder(targets)
	}
	return r, r.open(targets)
}

func (r *Repo) open(targets []target) (err error) {
	r.named, r.ancestors, r.bases = map[string]bool{}, map[string]bool{}, map[string]string{}
	r.links = map[string]string{}
	for _, t := range targets {
		if err := r.name(t); err != nil {
			return err
		}
	}
	if r.root, err = os.OpenRoot(r.Root); err != nil {
		return fmt.Errorf("%s: %w", r.Root, regular.Cause(err))
	}
	return nil
}

// name records a path that the user named, and the folders above it.
func (r *Repo) name(t target) error {
	rel, err := filepath.Rel(r.Root, t.path)
	if err != nil {
		return fmt.Errorf("%s: %w", t.given, err)
	}
	rel = filepath.ToSlash(rel)
	if inGitFolder(rel) {
		return fmt.Errorf("%s is in .git, which salint does not read", t.given)
	}
	r.named[rel] = true
	for dir := rel; dir != "."; {
		dir = path.Dir(dir)
		r.ancestors[dir] = true
	}
	return nil
}

// Close releases the folder handle. The Repo cannot be used afterwards.
func (r *Repo) Close() error {
	r.release()
	return r.root.Close()
}

// Links returns the symlinks that walks found, with the files and folders of the repository that they lead to.
func (r *Repo) Links() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.links)
}

func (r *Repo) addLink(p, real string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.links[p] = real
}

// FS returns the regular files of the repository as a file system that nothing can leave, not even symlinks.
func (r *Repo) FS() fs.FS { return regular.FolderOf(r.root, r.limit) }

// Selected reports whether a path is in the paths that the user named.
func (r *Repo) Selected(p string) bool {
	if r.named["."] && !path.IsAbs(p) {
		return true
	}
	for {
		if r.named[p] {
			return true
		}
		if p == "." || p == "/" {
			return false
		}
		p = path.Dir(p)
	}
}

// Vendored reports whether a file is in a folder named vendor or node_modules, which holds copies of dependencies, and the user named
// neither the file nor such a folder nor one in it.
func (r *Repo) Vendored(p string) bool {
	if !strings.Contains(p, "vendor/") && !strings.Contains(p, "node_modules/") {
		return false
	}
	for ; p != "." && p != "/"; p = path.Dir(p) {
		if r.named[p] {
			return false
		}
		if folder := path.Base(path.Dir(p)); folder == "vendor" || folder == "node_modules" {
			return !r.named[path.Dir(p)]
		}
	}
	return false
}

// Read returns the bytes of a file. Symlinks are followed inside the repository. The error reports a file that is not
// regular, or over the size limit of the last Walk.
func (r *Repo) Read(p string) ([]byte, error) {
	data, err := readFile(r.root, filepath.FromSlash(p), r.limit)
	if err == nil {
		return data, nil
	}
	if errors.Is(err, fs.ErrNotExist) { // looking for symlinks in a path takes a call for each of its folders
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	// os.Root refuses every absolute symlink, even those that stay inside.
	if real, resolveErr := r.resolve(p); resolveErr == nil && real != p {
		data, err = readFile(r.root, filepath.FromSlash(real), r.limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return data, nil
}

// resolve follows the symlinks in a path. The result is relative to Root; the error is errOutside if it would be outside.
func (r *Repo) resolve(p string) (string, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(r.Root, filepath.FromSlash(p)))
	if err != nil {
		return "", regular.Cause(err)
	}
	rel, err := filepath.Rel(r.Root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", errOutside
	}
	return filepath.ToSlash(rel), nil
}

var errOutside = errors.New("the symlink leaves the repository")

// ConfigDir is the folder from which the nearest configuration is searched upward: the working directory, or the root if
// the working directory is outside.
func (r *Repo) ConfigDir() string {
	if rel, err := filepath.Rel(r.Root, r.WorkDir); err == nil && filepath.IsLocal(rel) {
		return r.WorkDir
	}
	return r.Root
}

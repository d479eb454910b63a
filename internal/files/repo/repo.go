package repo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/worktree"
)

// Repo is the input of a run: the work tree of a git repository or, without git, the paths named. Reads and writes go
// through os.Root, so that neither a symlink nor a race leads outside. Paths are relative to Root and use slashes.
type Repo struct {
	*worktree.Tree
	// Git asks git about the repository, and Writer writes files of it.
	Git    *git.Repository
	Writer *commit.Writer
	// GitRoot is Root inside a work tree of git, otherwise "".
	GitRoot string
	// WorkDir is the working directory, absolute and free of symlinks, so that it is comparable with Root.
	WorkDir string

	// Members are the repositories of a workspace, see [OpenMembers]; nil if this is one repository. Git then knows nothing, and Writer is nil.
	Members []*Member

	// named are the paths that the user named; ancestors are the folders above them. With namedOnly, nothing else is read, also of a
	// repository of git.
	named, ancestors map[string]bool
	namedOnly        bool

	checkout *checkout

	mu    sync.Mutex
	links map[string]string // symlinks that walks found → their targets inside the repository
}

// Name returns the name of the repository in titles: the last part of its address, otherwise that of its folder; "" if there is none.
func (r *Repo) Name() string {
	name := r.Root
	if r.Git != nil {
		name = cmp.Or(r.Git.Origin(), r.Root)
	}
	if name = path.Base(filepath.ToSlash(name)); name == "." || name == "/" {
		return ""
	}
	return name
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
	root := gitRoot
	if root == "" {
		root = commonFolder(targets)
	}
	r := &Repo{
		GitRoot: gitRoot, WorkDir: workDir,
		named: map[string]bool{}, ancestors: map[string]bool{}, links: map[string]string{},
	}
	for _, t := range targets {
		if err := r.name(root, t); err != nil {
			return nil, err
		}
	}
	if r.Tree, err = worktree.Open(root); err != nil {
		return nil, err
	}
	r.Git = git.New(root, gitRoot != "", r.FS())
	r.Writer = commit.NewWriter(r.Tree, r.Git.Tracks)
	if err := r.openCheckout(context.Background()); err != nil {
		r.Close()
		return nil, fmt.Errorf("what the checkout leaves out is not known: %w", err)
	}
	for _, t := range targets { // a path that does not exist is left out by the checkout, or wrong
		if rel, err := filepath.Rel(root, t.path); t.above != "" && (err != nil || !r.LacksFile(filepath.ToSlash(rel))) {
			r.Close()
			return nil, t.missing()
		}
	}
	return r, nil
}

// name records a path that the user named, and the folders above it.
func (r *Repo) name(root string, t target) error {
	rel, err := filepath.Rel(root, t.path)
	if err != nil {
		return fmt.Errorf("%s: %w", t.given, err)
	}
	rel = filepath.ToSlash(rel)
	if worktree.InGitFolder(rel) {
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
	if r.Tree == nil || r.Handle == nil { // of a workspace
		return r.closeMembers()
	}
	r.Writer.Release()
	r.checkout.close()
	return r.Tree.Close()
}

// Links returns the symlinks that walks found, with the files and folders of the repository that they lead to.
func (r *Repo) Links() map[string]string {
	if r.IsWorkspace() {
		return r.membersLinks(func(m *Member) map[string]string { return m.Repo.Links() })
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.links)
}

func (r *Repo) addLink(p, real string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.links[p] = real
}

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
	if r.IsWorkspace() {
		m, p := r.MemberOf(p)
		return m != nil && m.Repo.Vendored(p)
	}
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

// ConfigDir is the folder from which the nearest configuration is searched upward: the working directory, or the root if
// the working directory is outside.
func (r *Repo) ConfigDir() string {
	if rel, err := filepath.Rel(r.Root, r.WorkDir); !r.IsWorkspace() && err == nil && filepath.IsLocal(rel) {
		return r.WorkDir
	}
	return r.Root
}

package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/worktree"
)

// NamedFolder is the folder of a repository of a workspace, given by its absolute path.
type NamedFolder struct {
	Name, Dir string
	// Addresses are further addresses of the repository, beside those of its remotes.
	Addresses []string
}

// Member is a repository of a workspace.
type Member struct {
	// Name is that of the workspace file, and Dir the folder from the root of the workspace.
	Name, Dir string
	// Addresses are those of the repository.
	Addresses []string
	// Repo is the repository. In a workspace, the paths of its files begin with Dir.
	Repo *Repo

	// inner is the folder in Repo: "." unless a folder of a repository counts as one.
	inner string
}

// OpenMembers opens the repositories of a workspace as one, whose root is their deepest common folder. Nothing else of that folder is read,
// and every repository is read as it is alone: nothing leads out of it. The paths of the command line are in the repositories, or contain some;
// without any, all are selected.
func OpenMembers(cwd string, folders []NamedFolder, paths []string) (*Repo, error) {
	workDir, err := realPath(cwd)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	r := &Repo{WorkDir: workDir, named: map[string]bool{}, ancestors: map[string]bool{}, links: map[string]string{}}
	if err := r.openMembers(folders); err != nil {
		r.Close()
		return nil, err
	}
	r.Git = git.New(r.Root, false, r.FS())
	if err := r.nameInMembers(paths); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Repo) openMembers(folders []NamedFolder) error {
	targets := make([]target, len(folders))
	for i, f := range folders {
		t, err := findTarget(r.WorkDir, f.Dir)
		if err == nil && (t.above != "" || !t.isDir) {
			err = fmt.Errorf("%s: no such folder", f.Dir)
		}
		if err != nil {
			return fmt.Errorf("repository %s: %w", f.Name, err)
		}
		targets[i] = t
		for j, other := range targets[:i] {
			if contains(other.path, t.path) || contains(t.path, other.path) {
				return fmt.Errorf("the repository %s is in the folder of %s, or is the same: name folders that do not contain one another", f.Name, folders[j].Name)
			}
		}
	}
	root := commonFolder(targets)
	r.Tree = &worktree.Tree{Root: root, Limit: worktree.DefaultMaxFileSize}
	for i, f := range folders {
		dir, err := filepath.Rel(root, targets[i].path)
		if err != nil || !filepath.IsLocal(dir) {
			return fmt.Errorf("repository %s: %s is on another drive than others", f.Name, f.Dir)
		}
		m := &Member{Name: f.Name, Dir: filepath.ToSlash(dir), Addresses: slices.Clone(f.Addresses)}
		if err := m.open(targets[i].path); err != nil {
			return fmt.Errorf("repository %s: %w", f.Name, err)
		}
		r.Members = append(r.Members, m)
	}
	return nil
}

// open opens the repository in a folder. Of a repository that contains the folder, nothing else is read.
func (m *Member) open(dir string) (err error) {
	if m.Repo, err = Open(dir, []string{dir}); err != nil {
		return err
	}
	inner, err := filepath.Rel(m.Repo.Root, dir)
	if err != nil {
		m.Repo.Close()
		return err
	}
	if m.inner = filepath.ToSlash(inner); m.inner == "." {
		m.Addresses = append(m.Addresses, m.Repo.Git.Remotes()...)
	}
	m.Repo.namedOnly = m.inner != "."
	return nil
}

// nameInMembers records the paths that the user named.
func (r *Repo) nameInMembers(paths []string) error {
	if len(paths) == 0 {
		r.named["."] = true
	}
	for _, given := range paths {
		t, err := findTarget(r.WorkDir, given)
		if err != nil {
			return err
		}
		if t.above != "" {
			return t.missing()
		}
		if contains(t.path, r.Root) {
			r.named["."] = true
			continue
		}
		rel, err := filepath.Rel(r.Root, t.path)
		holds := func(m *Member) bool { return contains(filepath.Join(r.Root, filepath.FromSlash(m.Dir)), t.path) }
		isIn := func(m *Member) bool { return contains(t.path, filepath.Join(r.Root, filepath.FromSlash(m.Dir))) }
		if err != nil || !slices.ContainsFunc(r.Members, func(m *Member) bool { return holds(m) || isIn(m) }) {
			return fmt.Errorf("%s is in none of the repositories of the workspace", given)
		}
		r.named[filepath.ToSlash(rel)] = true
	}
	return nil
}

// IsWorkspace reports whether the repository is one of several.
func (r *Repo) IsWorkspace() bool { return r.Members != nil }

// MemberOf returns the repository of a workspace that has a file, and the path of the file in it; nil if there is none.
func (r *Repo) MemberOf(file string) (m *Member, inside string) {
	for _, m := range r.Members {
		if inside, is := m.path(file); is {
			return m, inside
		}
	}
	return nil, ""
}

// IsWhole reports whether the folder of the member is the root of its repository.
func (m *Member) IsWhole() bool { return m.inner == "." }

// path returns the path of a file in the repository; ok is false if the file is not in it.
func (m *Member) path(file string) (inside string, ok bool) {
	switch {
	case m.Dir == ".":
		return path.Join(m.inner, file), fs.ValidPath(file)
	case file == m.Dir:
		return m.inner, true
	}
	rest, is := strings.CutPrefix(file, m.Dir+"/")
	return path.Join(m.inner, rest), is
}

// outside returns the path in the workspace of a file of the repository; ok is false if the file is not in the folder of the member.
func (m *Member) outside(file string) (name string, ok bool) {
	switch {
	case m.inner == ".":
		return path.Join(m.Dir, file), true
	case file == m.inner:
		return m.Dir, true
	}
	rest, is := strings.CutPrefix(file, m.inner+"/")
	return path.Join(m.Dir, rest), is
}

// inMember returns what a member has of a file; the error is fs.ErrNotExist for a file in none.
func inMember[T any](r *Repo, file string, of func(m *Member, inside string) (T, error)) (found T, err error) {
	m, inside := r.MemberOf(file)
	if m == nil {
		return found, fmt.Errorf("%s: %w", file, fs.ErrNotExist)
	}
	return of(m, inside)
}

// Read returns the bytes of a file, see [worktree.Tree.Read].
func (r *Repo) Read(p string) ([]byte, error) {
	if !r.IsWorkspace() {
		return r.Tree.Read(p)
	}
	return inMember(r, p, func(m *Member, p string) ([]byte, error) { return m.Repo.Read(p) })
}

// Text returns the bytes of a file, or nil for a binary file, see [worktree.Tree.Text].
func (r *Repo) Text(p string) ([]byte, error) {
	if !r.IsWorkspace() {
		return r.Tree.Text(p)
	}
	return inMember(r, p, func(m *Member, p string) ([]byte, error) { return m.Repo.Text(p) })
}

// LacksFile reports whether the checkout leaves a file or folder out of the working tree.
func (r *Repo) LacksFile(p string) bool {
	if !r.IsWorkspace() {
		return r.Tree.LacksFile(p)
	}
	m, p := r.MemberOf(p)
	return m != nil && m.Repo.LacksFile(p)
}

// containing returns the member through whose root an absolute path leads, or nil.
func (r *Repo) containing(file string) *Member {
	i := slices.IndexFunc(r.Members, func(m *Member) bool { return m.Repo.Contains(file) })
	if i < 0 {
		return nil
	}
	return r.Members[i]
}

// Contains returns whether a path, which is absolute, leads through the root, or that of a repository of the workspace.
func (r *Repo) Contains(file string) bool {
	if !r.IsWorkspace() {
		return r.Tree.Contains(file)
	}
	return r.containing(file) != nil
}

// ReadNamed reads a file that a command line or a configuration names, see [worktree.Tree.ReadNamed].
func (r *Repo) ReadNamed(file string, limit int64) ([]byte, error) {
	if !r.IsWorkspace() {
		return r.Tree.ReadNamed(file, limit)
	}
	if m := r.containing(file); m != nil {
		return m.Repo.ReadNamed(file, limit)
	}
	return regular.ReadFile(file, limit)
}

// OpenNamed opens a folder that a command line or a configuration names, see [worktree.Tree.OpenNamed].
func (r *Repo) OpenNamed(dir string, limit int64) (regular.Dir, error) {
	if !r.IsWorkspace() {
		return r.Tree.OpenNamed(dir, limit)
	}
	if m := r.containing(dir); m != nil {
		return m.Repo.OpenNamed(dir, limit)
	}
	return regular.OpenFolder(dir, limit)
}

// FS returns the regular files of the repository as a file system that nothing can leave, not even symlinks.
func (r *Repo) FS() fs.FS {
	if !r.IsWorkspace() {
		return r.Tree.FS()
	}
	return newMembersFS(r.Members, func(m *Member) fs.FS { return m.Repo.FS() })
}

// walkMembers walks the repositories one after the other.
func (r *Repo) walkMembers(ctx context.Context, o WalkOptions, visit func(File), walk func(*Member, WalkOptions, func(File)) ([]Skip, error)) ([]Skip, error) {
	var skips []Skip
	for _, m := range r.Members {
		own := o
		own.at = func(p string) string {
			name, _ := m.outside(p)
			return name
		}
		own.Texts, own.Own = m.asked(o.Texts), m.asked(o.Own)
		found, err := walk(m, own, func(f File) {
			var is bool
			if f.Path, is = m.outside(f.Path); is {
				visit(f)
			}
		})
		if err != nil {
			return nil, err
		}
		for _, skip := range found {
			if name, is := m.outside(skip.Path); is {
				skip.Path = name
				skips = append(skips, skip)
			}
		}
	}
	sortSkips(skips)
	return skips, ctx.Err()
}

// asked returns a function on paths of the workspace for paths of the repository.
func (m *Member) asked(about func(string) bool) func(string) bool {
	if about == nil {
		return nil
	}
	return func(p string) bool {
		name, is := m.outside(p)
		return is && about(name)
	}
}

// membersLinks returns links of the repositories, as paths of the workspace.
func (r *Repo) membersLinks(of func(*Member) map[string]string) map[string]string {
	links := map[string]string{}
	for _, m := range r.Members {
		for p, real := range of(m) {
			name, isFrom := m.outside(p)
			target, isTo := m.outside(real)
			if isFrom && isTo {
				links[name] = target
			}
		}
	}
	return links
}

// closeMembers closes the repositories.
func (r *Repo) closeMembers() error {
	var all []error
	for _, m := range r.Members {
		all = append(all, m.Repo.Close())
	}
	return errors.Join(all...)
}

// UnreadSubmodules returns the submodules that are not checked out.
func (r *Repo) UnreadSubmodules(ctx context.Context) ([]string, error) {
	if !r.IsWorkspace() {
		return r.Git.UnreadSubmodules(ctx)
	}
	return r.filesOf(func(m *Member) ([]string, error) { return m.Repo.Git.UnreadSubmodules(ctx) })
}

// filesOf returns files of all repositories, as paths of the workspace.
func (r *Repo) filesOf(of func(*Member) ([]string, error)) ([]string, error) {
	var all []string
	for _, m := range r.Members {
		found, err := of(m)
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		for _, file := range found {
			if name, is := m.outside(file); is {
				all = append(all, name)
			}
		}
	}
	return all, nil
}

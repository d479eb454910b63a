package loader

import (
	"context"

	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render"
)

// Tree is a repository, or standard input: the files that are read and, for a repository, what git knows about them.
type Tree interface {
	// Walk reads the manifests and calls visit with each, concurrently. It returns the files that could not be read.
	Walk(ctx context.Context, o repo.WalkOptions, visit func(repo.File)) ([]repo.Skip, error)
	// Read returns the content of a file. If the file does not exist, the error is fs.ErrNotExist.
	Read(path string) ([]byte, error)
	// Text returns the content of a file as Read does, and nil for a binary file, of which it reads only the beginning.
	Text(path string) ([]byte, error)
	// Selected reports whether the paths of the command line contain a file.
	Selected(path string) bool
	// Files returns the tree as input of builds and renderings, or nil if nothing can be built from it.
	Files() render.Files
	// Remotes returns the addresses of the git remotes. Argo CD and Flux refer to this repository by them.
	Remotes() []string
	// Branches returns the branches whose files count as those of the tree; nil if git does not know them.
	Branches() []string
	// Links returns the symbolic links that walks have found so far, with the paths to which they lead.
	Links() map[string]string
	// Ignored reports whether git ignores a new file; place is the line of the ignore rule.
	Ignored(file string) (place string, ignored bool)
	// LacksFile reports whether the checkout leaves a file out of the working tree. It is read from git's index.
	LacksFile(file string) bool
}

// FromRepo returns a repository as a tree.
func FromRepo(r *repo.Repo) Tree { return repository{r} }

type repository struct{ *repo.Repo }

func (r repository) Files() render.Files { return render.FromFS(r.FS()) }
func (r repository) Remotes() []string   { return r.Git.Remotes() }
func (r repository) Branches() []string  { return r.Git.Branches() }

// FromRevision returns the repository of a revision as a tree. The function reports whether the paths of the command line contain
// a file.
func FromRevision(v *repo.Revision, selected func(file string) bool) Tree {
	return revision{v, selected}
}

type revision struct {
	*repo.Revision
	selected func(file string) bool
}

func (r revision) Selected(file string) bool { return r.selected(file) }
func (r revision) Files() render.Files       { return render.FromFS(r.Revision) }

func (r revision) LacksFile(string) bool { return false }

// SingleFiles has the methods of a tree that is not a repository: nothing is built from it, and git does not know it. Types
// that implement Tree for single files embed it.
type SingleFiles struct{}

// Files returns nil.
func (SingleFiles) Files() render.Files { return nil }

// Remotes returns nil.
func (SingleFiles) Remotes() []string { return nil }

// Branches returns nil.
func (SingleFiles) Branches() []string { return nil }

// Links returns nil.
func (SingleFiles) Links() map[string]string { return nil }

// Ignored returns false.
func (SingleFiles) Ignored(string) (place string, ignored bool) { return "", false }

// LacksFile returns false.
func (SingleFiles) LacksFile(string) bool { return false }

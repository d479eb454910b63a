package loader

import (
	"context"

	"github.com/salint/salint/internal/assemble/gitops"
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
	// Members returns the repositories of a workspace; nil for one repository.
	Members() []gitops.Member
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

func (r repository) Files() render.Files { return filesOf(r.FS(), r.Members()) }
func (r repository) Remotes() []string   { return remotesOf(r.Repo) }
func (r repository) Branches() []string  { return r.Git.Branches() }

func (r repository) Members() []gitops.Member { return membersOf(r.Repo) }

// remotesOf returns the addresses of the git remotes, of all repositories of a workspace.
func remotesOf(r *repo.Repo) []string {
	all := r.Git.Remotes()
	for _, m := range r.Members {
		all = append(all, m.Addresses...)
	}
	return all
}

// membersOf returns the repositories of a workspace.
func membersOf(r *repo.Repo) []gitops.Member {
	var all []gitops.Member
	for _, m := range r.Members {
		of := m.Repo.Git
		all = append(all, gitops.Member{
			Name: m.Name, Dir: m.Dir, Addresses: m.Addresses, Branches: of.Branches(), Commit: of.Head(),
			IsCheckedOut: func(revision string) bool { return of.IsHead(context.Background(), revision) },
		})
	}
	return all
}

// FromRevision returns a repository as it was at a revision as a tree. The function reports whether the paths of the command line contain
// a file.
func FromRevision(v *repo.Revision, of *repo.Repo, selected func(file string) bool) Tree {
	return revision{v, of, selected}
}

type revision struct {
	*repo.Revision
	of       *repo.Repo
	selected func(file string) bool
}

func (r revision) Selected(file string) bool { return r.selected(file) }
func (r revision) Files() render.Files       { return filesOf(r.Revision, r.Members()) }

func (r revision) Remotes() []string  { return remotesOf(r.of) }
func (r revision) Branches() []string { return r.of.Git.Branches() }

// Members returns the repositories. The commit is not the one that is checked out; the names of that one count as those of the revision, as
// its branches do, so that both sides of a comparison are read alike.
func (r revision) Members() []gitops.Member {
	all := membersOf(r.of)
	for i := range all {
		all[i].Commit = ""
	}
	return all
}

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

// Members returns nil.
func (SingleFiles) Members() []gitops.Member { return nil }

// Links returns nil.
func (SingleFiles) Links() map[string]string { return nil }

// Ignored returns false.
func (SingleFiles) Ignored(string) (place string, ignored bool) { return "", false }

// LacksFile returns false.
func (SingleFiles) LacksFile(string) bool { return false }

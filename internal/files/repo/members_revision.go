package repo

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/salint/salint/internal/files/git"
)

// membersAt opens the repositories of a workspace as they were at a revision that each of them has, or for "" at its default branch.
func (r *Repo) membersAt(ctx context.Context, rev string) (*Revision, error) {
	all := &Revision{repo: r, of: map[*Member]*Revision{}, Submodules: git.Submodules{Then: map[string]string{}, Now: map[string]string{}}}
	for _, m := range r.Members {
		v, err := m.at(ctx, rev)
		if err != nil {
			all.Close()
			return nil, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		all.of[m] = v
		all.addSubmodules(m, v.Submodules)
	}
	return all, nil
}

func (m *Member) at(ctx context.Context, rev string) (_ *Revision, err error) {
	if rev == "" {
		if rev, err = m.Repo.Git.DefaultBranch(ctx); err != nil {
			return nil, err
		}
	}
	return m.Repo.Revision(ctx, rev)
}

// addSubmodules adds those of a repository.
func (v *Revision) addSubmodules(m *Member, of git.Submodules) {
	add := func(into *[]string, from []string) {
		for _, dir := range from {
			if name, is := m.outside(dir); is {
				*into = append(*into, name)
			}
		}
	}
	add(&v.Submodules.Same, of.Same)
	add(&v.Submodules.Changed, of.Changed)
	add(&v.Submodules.Unread, of.Unread)
	for dir, commit := range of.Then {
		if name, is := m.outside(dir); is {
			v.Submodules.Then[name] = commit
		}
	}
	for dir, commit := range of.Now {
		if name, is := m.outside(dir); is {
			v.Submodules.Now[name] = commit
		}
	}
}

func (v *Revision) files() membersFS {
	return newMembersFS(v.repo.Members, func(m *Member) fs.FS { return v.of[m] })
}

// Changed returns the files that differ from the revision, see [git.Repository.Changed].
func (v *Revision) Changed(ctx context.Context) (map[string]bool, error) {
	if !v.repo.IsWorkspace() {
		return v.repo.Git.Changed(ctx, v.Commit)
	}
	changed := map[string]bool{}
	for _, m := range v.repo.Members {
		found, err := m.Repo.Git.Changed(ctx, v.of[m].Commit)
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		for file, is := range found {
			if name, isHere := m.outside(file); isHere {
				changed[name] = is
			}
		}
	}
	return changed, nil
}

// IsCheckedOut reports whether the revision is checked out in all repositories, and without changes, see [git.Repository.IsCheckedOut].
func (v *Revision) IsCheckedOut(ctx context.Context) (is, clean bool, err error) {
	if !v.repo.IsWorkspace() {
		return v.repo.Git.IsCheckedOut(ctx, v.Commit)
	}
	is, clean = true, true
	for _, m := range v.repo.Members {
		isHere, isClean, err := m.Repo.Git.IsCheckedOut(ctx, v.of[m].Commit)
		if err != nil {
			return false, false, fmt.Errorf("repository %s: %w", m.Name, err)
		}
		is, clean = is && isHere, clean && isClean
	}
	return is, clean, nil
}

// Commits returns the commits of the repositories of a workspace, by their names.
func (v *Revision) Commits() map[string]string {
	commits := map[string]string{}
	for m, of := range v.of {
		commits[m.Name] = of.Commit
	}
	return commits
}

// StagedDifferently returns the files that are staged with other contents than in the working tree.
func (r *Repo) StagedDifferently(ctx context.Context) ([]string, error) {
	if !r.IsWorkspace() {
		return r.Git.StagedDifferently(ctx)
	}
	return r.filesOf(func(m *Member) ([]string, error) { return m.Repo.Git.StagedDifferently(ctx) })
}

// CheckMerged returns an error while files have conflicts.
func (r *Repo) CheckMerged(ctx context.Context) error {
	if !r.IsWorkspace() {
		return r.Git.CheckMerged(ctx)
	}
	for _, m := range r.Members {
		if err := m.Repo.Git.CheckMerged(ctx); err != nil {
			return fmt.Errorf("repository %s: %w", m.Name, err)
		}
	}
	return nil
}

// HasRevision reports whether git knows a revision: one that all repositories of a workspace have.
func (r *Repo) HasRevision(ctx context.Context, rev string) (bool, error) {
	if !r.IsWorkspace() {
		return r.Git.HasRevision(ctx, rev)
	}
	for _, m := range r.Members {
		if known, err := m.Repo.Git.HasRevision(ctx, rev); err != nil || !known {
			return false, err
		}
	}
	return true, nil
}

package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CheckPrivate returns why a folder, given by its absolute path, cannot hold data that salint itself wrote and trusts; nil if it can, or
// lies outside of the repository. In the repository, no file of the folder may come from git, and no symlink may lead to it. The
// folder need not exist.
func (r *Repo) CheckPrivate(ctx context.Context, dir string) error {
	for _, m := range r.Members {
		if err := m.Repo.CheckPrivate(ctx, dir); err != nil {
			return err
		}
	}
	if r.IsWorkspace() {
		return nil
	}
	spelled, isInside := r.Inside(dir)
	if isInside {
		if err := r.checkComponents(spelled); err != nil {
			return err
		}
	}
	real, err := realOrMissing(dir)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(r.Root, real)
	if err != nil || !filepath.IsLocal(name) {
		return nil
	}
	if r.GitRoot == "" {
		return errors.New("it is inside of the files that are read, and without git it is not known which of them others wrote: use a folder outside of them")
	}
	if err := r.checkComponents(filepath.ToSlash(name)); err != nil {
		return err
	}
	return r.checkUntracked(ctx, filepath.ToSlash(name))
}

// checkComponents rejects symlinks on the way to a folder in the repository, folders of git, and other repositories.
func (r *Repo) checkComponents(name string) error {
	if name == "." {
		return errors.New("it is the root of the repository: use a separate folder")
	}
	at := ""
	for component := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(component, dotGit) {
			return errors.New("it is in the folder of git: use another one")
		}
		at = filepath.Join(at, component)
		info, err := r.Handle.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // and nothing below it
		}
		switch {
		case err != nil:
			return err
		case !info.IsDir():
			return fmt.Errorf("%s is a symbolic link or a file, and not a folder", filepath.ToSlash(at))
		}
		if _, err := r.Handle.Lstat(filepath.Join(at, dotGit)); err == nil {
			return fmt.Errorf("%s is another repository: use a folder of this one, or outside of it", filepath.ToSlash(at))
		}
	}
	return nil
}

const dotGit = ".git"

// checkUntracked rejects a folder of which git tracks a file. Some file systems ignore the case of names, so it is ignored here as well.
func (r *Repo) checkUntracked(ctx context.Context, name string) error {
	tracked, err := r.Git.Tracked(ctx)
	if err != nil {
		return fmt.Errorf("git cannot say whether it tracks files in it: %w", err)
	}
	for file := range tracked {
		if below := len(file) > len(name) && file[len(name)] == '/'; (below || len(file) == len(name)) && strings.EqualFold(file[:len(name)], name) {
			return fmt.Errorf("git tracks %s, so others can have written what is in it: use a folder that git ignores", file)
		}
	}
	return nil
}

// realOrMissing resolves the symlinks in the part of a path that exists.
func realOrMissing(name string) (string, error) {
	rest := ""
	for dir := filepath.Clean(name); ; {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if _, linkErr := os.Lstat(dir); linkErr == nil || !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s is a symbolic link that leads nowhere", dir)
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", err
		}
		dir = parent
	}
}

// Tracks reports whether git tracks a file, given by its absolute path. Without git, or if it fails, it is false.
func (r *Repo) Tracks(ctx context.Context, file string) bool {
	if m := r.containing(file); m != nil {
		return m.Repo.Tracks(ctx, file)
	}
	inside, ok := r.Inside(file)
	return ok && r.Git.Tracks(ctx, inside)
}

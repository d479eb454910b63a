package main

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/worktree"
)

// readNamed reads a file of the command line, of at most limit bytes. r is the repository of the run, or nil: a path in it
// is not followed out of it.
func (c *command) readNamed(r *repo.Repo, name string, limit int64) ([]byte, error) {
	read := regular.ReadFile
	if r != nil {
		read = r.ReadNamed
	}
	data, err := read(c.abs(name), limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, namedError(err))
	}
	return data, nil
}

// openNamed opens a folder of the command line under the same conditions, for commands that do not read the repository.
func (c *command) openNamed(dir string, limit int64) (regular.Dir, error) {
	r, err := repo.Open(c.Dir, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.OpenNamed(c.abs(dir), limit)
}

func namedError(err error) error {
	if errors.Is(err, worktree.ErrOutside) {
		return errors.New("the symlink leaves the repository: name the file that it leads to")
	}
	return err
}

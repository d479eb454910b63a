package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/rules/metadata"
)

// userPrefix distinguishes a file of a user from a built-in policy of the same name.
const userPrefix = "user:"

// OpenDir opens a folder of policies, of which files above limit bytes cannot be read.
type OpenDir func(dir string, limit int64) (regular.Dir, error)

// ParseDir parses the Rego files below a folder. Their names begin with the folder as given.
func (s *Sandbox) ParseDir(ctx context.Context, dir string, open OpenDir) ([]*metadata.File, error) {
	if open == nil {
		open = func(dir string, limit int64) (regular.Dir, error) { return regular.OpenFolder(dir, limit) }
	}
	folder, err := open(dir, metadata.MaxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	case errors.Is(err, regular.ErrNotFolder):
		return nil, fmt.Errorf("policies: %s is not a folder: name the folder that contains it", dir)
	case err != nil:
		return nil, fmt.Errorf("policies: %s: %w", dir, err)
	}
	defer folder.Close()
	return metadata.ParseFiles(folder, filepath.ToSlash(dir), func(p *metadata.File) (mistakes, stop error) { return s.parse(ctx, p) })
}

// SourceOf returns the content of a file.
func SourceOf(p *metadata.File) Source {
	return Source{Name: p.Name, Source: string(p.Source)}
}

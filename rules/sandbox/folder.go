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

// ParseDir parses the Rego files below a folder, and reads the files of data. Their names begin with the folder as given.
func (s *Sandbox) ParseDir(ctx context.Context, dir string, open OpenDir) ([]*metadata.File, []metadata.Document, error) {
	if open == nil {
		open = func(dir string, limit int64) (regular.Dir, error) { return regular.OpenFolder(dir, limit) }
	}
	folder, err := open(dir, metadata.MaxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	case errors.Is(err, regular.ErrNotFolder):
		return nil, nil, fmt.Errorf("policies: %s is not a folder: name the folder that contains it", dir)
	case err != nil:
		return nil, nil, fmt.Errorf("policies: %s: %w", dir, err)
	}
	defer folder.Close()
	prefix := filepath.ToSlash(dir)
	files, err := metadata.ParseFiles(folder, prefix, func(p *metadata.File) (mistakes, stop error) { return s.parse(ctx, p) })
	if err != nil {
		return nil, nil, err
	}
	documents, err := metadata.ReadDocuments(folder, prefix)
	return files, documents, err
}

// SourceOf returns the content of a file.
func SourceOf(p *metadata.File) Source {
	return Source{Name: p.Name, Source: string(p.Source)}
}

// SourceOfRule returns the content of the file of a rule.
func SourceOfRule(p *metadata.File, r *metadata.Rule) Source {
	s := SourceOf(p)
	s.IsRule, s.OfUnit, s.Parameters = true, r.Scope == metadata.ScopeUnit, r.Parameters
	return s
}

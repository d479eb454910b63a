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

// ParseDir parses the Rego files below a folder or in a bundle, and reads the files of data. Their names begin with that of the folder or
// bundle as given.
func (s *Sandbox) ParseDir(ctx context.Context, dir string, open OpenDir) ([]*metadata.File, []metadata.Document, error) {
	folder, closeFolder, err := OpenPolicies(dir, open, metadata.MaxFileSize)
	if err != nil {
		return nil, nil, err
	}
	defer closeFolder()
	name, _ := metadata.SplitDigest(dir)
	prefix, bundled := filepath.ToSlash(name), metadata.IsBundle(dir)
	files, err := metadata.ParseFiles(folder, prefix, func(p *metadata.File) (mistakes, stop error) {
		p.Bundled = bundled
		return s.parse(ctx, p)
	})
	if err != nil {
		return nil, nil, err
	}
	documents, err := metadata.ReadDocuments(folder, prefix, bundled)
	return files, documents, err
}

// Strays returns notes about what looks like a part of the policies in a folder and is not loaded; an error if it can only be a mistake. A
// bundle has none, because a program packs it.
func Strays(dir string, open OpenDir) (notes []string, err error) {
	if metadata.IsBundle(dir) {
		return nil, nil
	}
	folder, closeFolder, err := OpenPolicies(dir, open, metadata.MaxFileSize)
	if err != nil {
		return nil, err
	}
	defer closeFolder()
	return metadata.Strays(folder, filepath.ToSlash(dir))
}

// OpenPolicies returns the files of a folder, of which those above a limit in bytes cannot be read, or of a bundle.
func OpenPolicies(dir string, open OpenDir, limit int64) (files fs.FS, closeFiles func(), err error) {
	if open == nil {
		open = func(dir string, limit int64) (regular.Dir, error) { return regular.OpenFolder(dir, limit) }
	}
	if metadata.IsBundle(dir) {
		files, err := openBundle(dir, open)
		return files, func() {}, err
	}
	folder, err := open(dir, limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	case errors.Is(err, regular.ErrNotFolder):
		return nil, nil, fmt.Errorf("policies: %s is neither a folder nor a bundle (.tar.gz): name the folder that contains it", dir)
	case err != nil:
		return nil, nil, fmt.Errorf("policies: %s: %w", dir, err)
	}
	return folder, func() { _ = folder.Close() }, nil
}

// openBundle reads a bundle, and compares its digest.
func openBundle(name string, open OpenDir) (fs.FS, error) {
	file, _ := metadata.SplitDigest(name)
	folder, err := open(filepath.Dir(file), metadata.MaxBundle)
	var data []byte
	if err == nil {
		defer folder.Close()
		data, err = fs.ReadFile(folder, filepath.Base(file))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no bundle %s of policies: correct --policy or `policies:` in .salint.yaml, or let an earlier step bring it", file)
	}
	if err != nil {
		return nil, fmt.Errorf("policies: %s: %w", file, regular.Cause(err))
	}
	files, err := metadata.UnpackBundle(name, data)
	if err != nil {
		return nil, fmt.Errorf("policies: %s: %w", file, err)
	}
	return files, nil
}

// SourceOf returns the content of a file.
func SourceOf(p *metadata.File) Source {
	return Source{Name: p.Name, Source: string(p.Source)}
}

// SourceOfRule returns the content of the file of a rule.
func SourceOfRule(p *metadata.File, r *metadata.Rule) Source {
	s := SourceOf(p)
	if s.Rule = r.Name; !r.All {
		s.Kinds = metadata.BareKinds(r.Kinds)
	}
	s.IsRule, s.OfUnit, s.Parameters = true, r.Scope == metadata.ScopeUnit, r.Parameters
	return s
}

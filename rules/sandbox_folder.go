package rules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/salint/salint/internal/files/regular"
)

// userPrefix distinguishes a file of a user from a built-in policy of the same name.
const userPrefix = "user:"

// OpenDir opens a folder of policies, of which files above limit bytes cannot be read.
type OpenDir func(dir string, limit int64) (regular.Dir, error)

// parseDir parses the Rego files below a folder. Their names begin with the folder as given.
func (s *sandbox) parseDir(ctx context.Context, dir string, open OpenDir) ([]*policyFile, error) {
	if open == nil {
		open = func(dir string, limit int64) (regular.Dir, error) { return regular.OpenFolder(dir, limit) }
	}
	folder, err := open(dir, maxPolicySize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s with policies: correct --policy or `policies:` in .salint.yaml", dir)
	case errors.Is(err, regular.ErrNotFolder):
		return nil, fmt.Errorf("policies: %s is not a folder: name the folder that contains it", dir)
	case err != nil:
		return nil, fmt.Errorf("policies: %s: %w", dir, err)
	}
	defer folder.Close()
	return parsePolicies(folder, filepath.ToSlash(dir), func(p *policyFile) (mistakes, stop error) { return s.parse(ctx, p) })
}

func sourceOf(p *policyFile) userSource {
	return userSource{Name: p.name, Source: string(p.source)}
}

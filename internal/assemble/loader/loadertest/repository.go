// Package loadertest provides a repository in memory as a run of salint reads it. Only tests import it.
package loadertest

import (
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/files/filestest"
	"github.com/salint/salint/internal/render"
)

// Repository is a repository in memory that the loader can read. All files are selected, and nothing is built from it.
type Repository struct{ filestest.Tree }

// Members returns nil: it is one repository.
func (Repository) Members() []gitops.Member { return nil }

// Files returns nil: nothing is built.
func (Repository) Files() render.Files { return nil }

package applications

import (
	"fmt"

	"github.com/salint/salint/internal/render"
)

// files is the repository as Argo CD's generators read it. It is for one goroutine.
type files struct {
	names []string
	tree  render.Files
	// read are the files that an earlier round read, by name.
	read map[string]fileResult
}

// fileResult is the result of reading a file.
type fileResult struct {
	data []byte
	err  error
}

// Names implements gitops.Tree.
func (f files) Names() []string { return f.names }

// ReadAtMost implements gitops.Tree.
func (f files) ReadAtMost(name string, limit int64) ([]byte, error) {
	if f.tree == nil {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	found, known := f.read[name]
	if !known {
		found.data, found.err = f.tree.ReadFile(name)
		f.read[name] = found
	}
	if found.err == nil && int64(len(found.data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return found.data, found.err
}

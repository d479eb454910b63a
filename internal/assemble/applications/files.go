package applications

import (
	"fmt"

	"github.com/salint/salint/internal/render"
)

// files is the repository as Argo CD's generators read it.
type files struct {
	names []string
	tree  render.Files
}

// Names implements gitops.Tree.
func (f files) Names() []string { return f.names }

// ReadAtMost implements gitops.Tree.
func (f files) ReadAtMost(name string, limit int64) ([]byte, error) {
	if f.tree == nil {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	data, err := f.tree.ReadFile(name)
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, err
}

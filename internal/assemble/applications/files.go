package applications

import (
	"fmt"
	"path"
	"slices"

	"github.com/salint/salint/internal/render"
)

// files is the repository as Argo CD's generators read it. It is for one goroutine.
type files struct {
	names []string
	tree  render.Files
	// read are the files that an earlier round read, by name.
	read map[string]fileResult
	// programs are the files of Jsonnet, by folder.
	programs map[string][]string
	links    map[string]string
}

// maxFolders limits the folders in which files of Jsonnet are looked for.
const maxFolders = 1000

// Programs implements gitops.Tree.
func (f files) Programs(dir string) []string {
	found, known := f.programs[dir]
	if known || f.tree == nil {
		return found
	}
	for folders := []string{dir}; len(folders) > 0; folders = folders[1:] {
		entries, err := f.tree.ReadDir(folders[0])
		if err != nil {
			continue
		}
		for _, entry := range entries {
			name := path.Join(folders[0], entry.Name())
			switch ext := path.Ext(name); {
			case entry.IsDir() && entry.Name() != ".git" && len(folders) < maxFolders:
				folders = append(folders, name)
			case ext == ".jsonnet" || ext == ".libsonnet":
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	f.programs[dir] = found
	return found
}

// fileResult is the result of reading a file.
type fileResult struct {
	data []byte
	err  error
}

// Links implements gitops.Tree.
func (f files) Links() map[string]string { return f.links }

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

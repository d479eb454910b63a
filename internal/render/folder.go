package render

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
)

// manifestExts are the extensions of manifests.
var manifestExts = []string{".yaml", ".yml", ".json"}

// Folder reads the objects of a file, or of all manifests in a folder and below it, sorted by path. It skips hidden files
// and folders, symlinks, kustomizations, and files without objects, such as values. The error is an *Error at the position
// of invalid YAML, a *LimitError, or that of the context.
func Folder(ctx context.Context, tree Files, dir string) ([]rendered.Object, error) {
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) {
		return nil, &Error{File: dir, Message: Outside}
	}
	r := &folderReader{ctx: ctx, tree: tree, dir: dir, limit: defaultBytes}
	if !isDir(tree, dir) {
		err := r.file(dir)
		return r.objects, err
	}
	if err := r.folder(dir, 0); err != nil {
		return nil, err
	}
	return r.objects, nil
}

type folderReader struct {
	ctx     context.Context
	tree    Files
	dir     string
	limit   int64
	objects []rendered.Object
}

func (r *folderReader) folder(dir string, depth int) error {
	if depth > maxChartDepth {
		return tooMuch("%s: folders are nested more than %d deep", r.dir, maxChartDepth)
	}
	entries, err := r.tree.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case strings.HasPrefix(entry.Name(), "."):
			continue
		case entry.IsDir():
			err = r.folder(name, depth+1)
		case entry.Type().IsRegular() && isManifest(name):
			err = r.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *folderReader) file(name string) error {
	data, err := r.tree.ReadFile(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if r.limit -= int64(len(data)); r.limit < 0 {
		return tooMuch("%s: the folder contains more than %s of manifests", r.dir, bytesText(defaultBytes))
	}
	found, fault := documents(name, data, false)
	if fault != nil {
		return fault
	}
	for _, object := range found {
		origin := rendered.Origin{File: name, Line: object.Position(nil).Line}
		r.objects = append(r.objects, rendered.Object{Origin: origin, JSON: object.JSON()})
	}
	return nil
}

func isManifest(name string) bool {
	return slices.Contains(manifestExts, path.Ext(name)) && !objects.IsKustomizationFile(name)
}

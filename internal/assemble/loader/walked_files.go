package loader

import (
	"io/fs"
	"sync"

	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/render"
)

// walkedFiles are the files of a tree. The walk through them has shown which paths are no symbolic links: builds ask for each part of each path.
type walkedFiles struct {
	render.Files

	links pathset.Links
	paths func() *pathset.Set
}

func newWalkedFiles(files render.Files, names []string, links pathset.Links) render.Files {
	if files == nil {
		return nil
	}
	return walkedFiles{files, links, sync.OnceValue(func() *pathset.Set { return pathset.Of(names) })}
}

// ReadLink returns the target of a symbolic link, as [render.Files] requires.
func (w walkedFiles) ReadLink(name string) (string, error) {
	files, hasLinks := w.Files.(interface{ ReadLink(string) (string, error) })
	if _, isLink := w.links[name]; !hasLinks || !isLink && w.paths().Has(name) {
		return "", fs.ErrInvalid
	}
	return files.ReadLink(name)
}

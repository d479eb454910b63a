package render

import (
	"io/fs"
	"sync"
)

// ReadOnce returns a tree that reads every file, folder and symlink of another tree at most once.
func ReadOnce(files Files) Files { return &cachedTree{files: files} }

type cachedTree struct {
	files             Files
	data, dirs, links sync.Map // by name: a function that returns the result
}

func (r *cachedTree) ReadFile(name string) ([]byte, error) {
	return remember(&r.data, name, func() ([]byte, error) { return r.files.ReadFile(name) })
}

func (r *cachedTree) ReadDir(name string) ([]fs.DirEntry, error) {
	return remember(&r.dirs, name, func() ([]fs.DirEntry, error) { return r.files.ReadDir(name) })
}

func (r *cachedTree) ReadLink(name string) (string, error) {
	links, ok := r.files.(linkReader)
	if !ok {
		return "", fs.ErrInvalid
	}
	return remember(&r.links, name, func() (string, error) { return links.ReadLink(name) })
}

func remember[T any](answers *sync.Map, name string, ask func() (T, error)) (T, error) {
	answer, _ := answers.LoadOrStore(name, sync.OnceValues(ask))
	return answer.(func() (T, error))()
}

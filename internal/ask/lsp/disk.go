package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/render"
)

// disk is a repository as its files were when they were read first. Every walk, content, and folder is read once and kept, so that a
// run after a keystroke reads nothing but the open documents. A new disk takes the place of one whose files may have changed; the
// handle of the folder of the old one is closed when no run uses it anymore, by the finalizer of os.Root.
type disk struct {
	repo  *repo.Repo
	tree  loader.Tree
	files render.Files

	mu      sync.Mutex
	walks   map[string]*walked
	content map[string]kept[[]byte]
	built   map[string]kept[[]byte]
	texts   map[string]kept[[]byte]
	folders map[string]kept[[]fs.DirEntry]
	links   map[string]kept[string]
}

// kept is a result that was read once.
type kept[T any] struct {
	value T
	err   error
}

// walked is the result of a walk.
type walked struct {
	files  []repo.File
	skips  []repo.Skip
	hidden repo.Hidden
}

// openDisk opens a repository with all of its files. Its configuration is the nearest one of the folder.
func openDisk(root, folder string) (*disk, error) {
	r, err := repo.Open(folder, []string{root})
	if err != nil {
		return nil, err
	}
	d := &disk{
		repo: r, tree: loader.FromRepo(r), walks: map[string]*walked{},
		content: map[string]kept[[]byte]{}, built: map[string]kept[[]byte]{}, texts: map[string]kept[[]byte]{}, folders: map[string]kept[[]fs.DirEntry]{}, links: map[string]kept[string]{},
	}
	d.files = d.tree.Files()
	return d, nil
}

// walk returns the result of a walk, which is the same for all walks with these options. The callers select the same texts. A run that
// is canceled ends its walk: otherwise, typing without a pause would read the files of a large repository again and again.
func (d *disk) walk(ctx context.Context, o repo.WalkOptions) (*walked, error) {
	key := fmt.Sprintf("%q %d %t %t", o.Exclude, o.MaxFileSize, o.Others, o.Texts != nil)
	d.mu.Lock()
	known := d.walks[key]
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	var mu sync.Mutex
	w := &walked{}
	o.Hidden = &w.hidden
	skips, err := d.tree.Walk(context.WithoutCancel(ctx), o, func(f repo.File) {
		mu.Lock()
		defer mu.Unlock()
		w.files = append(w.files, f)
	})
	if err != nil {
		return nil, err
	}
	w.skips = skips
	d.mu.Lock()
	defer d.mu.Unlock()
	d.walks[key] = w
	for _, f := range w.files {
		if !o.Others {
			d.content[f.Path] = kept[[]byte]{value: f.Data}
		}
	}
	return w, nil
}

// once returns what was read for a name, or reads it.
func once[T any](d *disk, of map[string]kept[T], name string, read func(string) (T, error)) (T, error) {
	d.mu.Lock()
	known, ok := of[name]
	d.mu.Unlock()
	if ok {
		return known.value, known.err
	}
	value, err := read(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	of[name] = kept[T]{value, err}
	return value, err
}

// read returns the content of a file.
func (d *disk) read(name string) ([]byte, error) { return once(d, d.content, name, d.tree.Read) }

// text returns the content of a file, or nil for a binary file.
func (d *disk) text(name string) ([]byte, error) { return once(d, d.texts, name, d.tree.Text) }

// exists reports whether there is a file, also one that the walk leaves out.
func (d *disk) exists(name string) bool {
	_, err := fs.Stat(d.repo.FS(), name)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// isUnchanged reports whether a file still has a content; nil is a file that does not exist.
func (d *disk) isUnchanged(name string, content []byte) bool {
	data, err := d.tree.Read(name)
	if content == nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return err == nil && string(data) == string(content)
}

// buildFiles is the disk as the input of builds.
type buildFiles struct{ *disk }

// ReadFile returns the content of a file.
func (f buildFiles) ReadFile(name string) ([]byte, error) {
	f.mu.Lock()
	walked, ok := f.content[name]
	f.mu.Unlock()
	if ok && walked.err == nil && len(walked.value) <= render.MaxFileSize {
		return walked.value, nil
	}
	return once(f.disk, f.built, name, f.files.ReadFile)
}

// ReadDir lists a folder.
func (f buildFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	return once(f.disk, f.folders, name, f.files.ReadDir)
}

// ReadLink returns the target of a symlink.
func (f buildFiles) ReadLink(name string) (string, error) {
	links, ok := f.files.(interface{ ReadLink(string) (string, error) })
	if !ok {
		return "", fs.ErrInvalid
	}
	return once(f.disk, f.disk.links, name, links.ReadLink)
}

// realPath resolves the symlinks in a path. What does not exist yet keeps its name.
func realPath(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	dir := filepath.Dir(file)
	if dir == file {
		return file
	}
	return filepath.Join(realPath(dir), filepath.Base(file))
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

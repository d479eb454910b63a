package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/salint/salint/internal/files/glob"
)

// File is a file that a walk has found and read. Data belongs to whoever is handed it.
type File struct {
	Path string
	Size int64
	Data []byte
}

// Skip is a file or folder that was not read although it may hold manifests, and why.
type Skip struct {
	Path, Reason string
	// Unreadable is true when reading failed; false when it was not tried, as for a file over the size limit.
	Unreadable bool
	// TooLarge is true for a file over the size limit.
	TooLarge bool
}

// WalkOptions limit a walk.
type WalkOptions struct {
	// Exclude are patterns of paths as glob.ParsePath reads them. What they match is left out, with all below it, also
	// where the user named it.
	Exclude []string
	// MaxFileSize is in bytes; 0 is DefaultMaxFileSize. It holds for Read as well from then on.
	MaxFileSize int64
	// Workers is how many files are read at a time; 0 is one per processor.
	Workers int
	// Others visits the files that are no manifests instead: scripts, documentation, templates of other tools. They are
	// not read: Text does that, for those that are wanted. Nothing is reported as skipped: nobody expects manifests there.
	Others bool
}

// Walk reads the manifests of the repository in parallel and calls visit with each, concurrently and in no order.
// Manifests are files named *.yaml, *.yml, *.json or Kustomization that neither .gitignore, .git/info/exclude nor, in a
// chart, .helmignore leaves out, and every file that the user named. Without git only the paths named are walked.
//
// Symlinks are not followed: what they point at inside the repository is read where it lies, and what is outside is not
// touched; Links tells which there are. Only a kustomization is read under the symlink's own name, for it says something about
// the folder that it is found in. Whatever could have held manifests and was not read is in the list returned, sorted by path.
// The error is that of the context, of a pattern, or of a root that cannot be read.
func (r *Repo) Walk(ctx context.Context, o WalkOptions, visit func(File)) ([]Skip, error) {
	w := &walker{repo: r, ctx: ctx, visit: visit, queue: newQueue()}
	for _, pattern := range o.Exclude {
		p, err := glob.ParsePath(pattern)
		if err != nil {
			return nil, fmt.Errorf("exclude: %w", err)
		}
		w.exclude = append(w.exclude, p)
	}
	w.limit = cmp.Or(o.MaxFileSize, DefaultMaxFileSize)
	if w.others = o.Others; !w.others {
		r.limit = w.limit
		w.skipExcludedNames()
	}
	root, err := r.root.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Root, cause(err))
	}
	w.queue.add(func() { w.list(&folder{path: ".", dir: root, ignore: r.rootIgnores(), inside: r.named["."]}) })
	w.queue.run(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)))
	slices.SortFunc(w.skips, func(a, b Skip) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
	if w.others {
		w.skips = nil
	}
	return w.skips, ctx.Err()
}

// walker is one walk.
type walker struct {
	repo    *Repo
	ctx     context.Context
	exclude []glob.Path
	visit   func(File)
	queue   *queue
	limit   int64
	others  bool

	mu    sync.Mutex
	skips []Skip
}

// folder is an open folder. It is closed when the last task that needs it is done.
type folder struct {
	path   string
	dir    *os.Root
	ignore ignores
	// inside tells that the folder lies in a path that the user named.
	inside bool
	// ignored tells that only what the user named is read in this folder.
	ignored bool
	users   atomic.Int32
}

func (f *folder) release() {
	if f.users.Add(-1) == 0 {
		f.dir.Close()
	}
}

func (w *walker) skip(p, reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.skips = append(w.skips, Skip{Path: p, Reason: reason})
}

// skipExcludedNames reports the paths that the user named and the configuration excludes: nobody should take their
// silence for health.
func (w *walker) skipExcludedNames() {
	for p := range w.repo.named {
		for dir := p; dir != "."; dir = path.Dir(dir) {
			if w.excluded(dir) {
				w.skip(p, "excluded by the configuration")
				break
			}
		}
	}
}

func (w *walker) excluded(p string) bool {
	return slices.ContainsFunc(w.exclude, func(g glob.Path) bool { return g.Match(p) })
}

// fail reports what could not be read.
func (w *walker) fail(p string, err error) {
	var size *sizeError
	w.mu.Lock()
	defer w.mu.Unlock()
	large := errors.As(err, &size)
	w.skips = append(w.skips, Skip{Path: p, Reason: reason(err), Unreadable: !large, TooLarge: large})
}

// batch is how many files one task reads: enough to make up for the queue, few enough to share out one large folder.
const batch = 64

// list reads a folder and queues what is in it.
func (w *walker) list(f *folder) {
	f.users.Add(1)
	defer f.release()
	if w.ctx.Err() != nil {
		return
	}
	entries, err := readDir(filepath.Join(w.repo.Root, filepath.FromSlash(f.path)))
	if err != nil {
		w.fail(f.path, err)
		return
	}
	if why := foreign(f, entries); why != "" {
		w.skip(f.path, why)
		return
	}
	f.ignore = w.addIgnores(f, entries)
	var files []string
	for _, e := range entries {
		if w.enter(f, e) {
			files = append(files, e.Name())
		}
	}
	for names := range slices.Chunk(files, batch) {
		f.users.Add(1)
		w.queue.add(func() { w.read(f, names) })
	}
}

// readDir lists a folder by its path, for a list read through os.Root asks for the attributes of every entry, which takes
// as long as reading them. Only names come from it: files and folders are opened through the folder's own handle.
func readDir(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// foreign tells why a folder is not part of this repository: another work tree of a repository would show every object
// twice. Submodules are read, for what they hold is applied with the rest.
func foreign(f *folder, entries []fs.DirEntry) string {
	if f.path == "." {
		return ""
	}
	for _, e := range entries {
		if e.Name() != ".git" || !e.Type().IsRegular() {
			continue
		}
		data, err := readFile(f.dir, ".git", maxLinkSize)
		if err == nil && strings.Contains(string(data), "/worktrees/") {
			return "it is another work tree of a git repository"
		}
	}
	return ""
}

// enter decides on one entry of a folder. It queues folders, and tells whether the entry is a file to be read.
func (w *walker) enter(f *folder, e fs.DirEntry) bool {
	p := path.Join(f.path, e.Name())
	named, way := w.repo.named[p], w.repo.ways[p]
	if e.Name() == ".git" || !w.covers(f.inside || named || way) || w.excluded(p) {
		return false
	}
	ignored := !named && (f.ignored || f.ignore.match(p, e.IsDir()))
	if ignored && !way {
		return false
	}
	switch {
	case e.IsDir():
		w.descend(f, e.Name(), &folder{path: p, inside: f.inside || named, ignored: ignored})
	case e.Type()&fs.ModeSymlink != 0:
		w.link(p)
	case (IsManifest(e.Name()) || named) == w.others:
	case e.Type().IsRegular():
		return true
	default:
		w.skip(p, errNotRegular.Error())
	}
	return false
}

// covers tells whether the walk goes where the user named something, or not: in a git repository, everywhere.
func (w *walker) covers(selected bool) bool { return selected || w.repo.GitRoot != "" }

// descend queues a folder. Its parent stays open until then.
func (w *walker) descend(parent *folder, name string, child *folder) {
	parent.users.Add(1)
	w.queue.add(func() {
		defer parent.release()
		dir, err := parent.dir.OpenRoot(name)
		if err != nil {
			w.fail(child.path, err)
			return
		}
		child.dir, child.ignore = dir, parent.ignore
		w.list(child)
	})
}

// read reads files of a folder and passes them on.
func (w *walker) read(f *folder, names []string) {
	defer f.release()
	for _, name := range names {
		if w.ctx.Err() != nil {
			return
		}
		p := path.Join(f.path, name)
		if w.others {
			w.visit(File{Path: p})
			continue
		}
		data, err := readFile(f.dir, name, w.limit)
		if err != nil {
			w.fail(p, err)
			continue
		}
		w.visit(File{Path: p, Size: int64(len(data)), Data: data})
	}
}

// IsManifest tells by its name whether a file is one that kubectl or kustomize would read. Walk reads those and no others,
// unless the user named them.
func IsManifest(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return path.Base(p) == "Kustomization"
}

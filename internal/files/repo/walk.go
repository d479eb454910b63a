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

	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/ignore"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/worktree"
)

// File is a file that a walk has found and read. The receiver owns Data.
type File struct {
	Path string
	Size int64
	Data []byte
	// Text is true for a file that is no manifest, which WalkOptions.Texts selects.
	Text bool
}

// Skip is a file or folder that could hold manifests and was not read, and the reason.
type Skip struct {
	Path, Reason string
	// Unreadable is true if reading failed; false if it was not tried, as for a file over the size limit.
	Unreadable bool
	// TooLarge is true for a file over the size limit.
	TooLarge bool
	// NotCheckedOut is true for what git's index has, the checkout leaves out, and cannot be read from the index.
	NotCheckedOut bool
}

// WalkOptions limit a walk.
type WalkOptions struct {
	// Exclude are path patterns as glob.ParsePath reads them. A match is left out with everything below it, even if the
	// user named it.
	Exclude []string
	// MaxFileSize is in bytes; 0 is DefaultMaxFileSize. It also applies to later calls of Read.
	MaxFileSize int64
	// Workers is how many files are read in parallel; 0 is one per processor.
	Workers int
	// Others visits the files that are not manifests instead: scripts, documentation, templates of other tools. They are
	// not read: call Text for those that are needed. Nothing is reported as skipped, because such files are not expected to
	// hold manifests.
	Others bool
	// Texts selects files that are not manifests and are read with them, by their path; nil selects none. Those that cannot be
	// read are left out, because such files are not expected to hold manifests.
	Texts func(path string) bool
	// Hidden counts what ignore rules hide; it can be nil.
	Hidden *Hidden
	// Own selects files that have the name of a manifest and belong to salint, such as a baseline, by their path. They do not count as
	// hidden. Nil selects none.
	Own func(path string) bool

	// at returns the path that the patterns match for a path of the walk; nil for the same.
	at func(path string) string
}

// maxText is the size of the largest file that WalkOptions.Texts selects.
const maxText = 1 << 20

// Walk reads the manifests of the repository in parallel and calls visit with each, concurrently and in no order. Manifests
// are files named *.yaml, *.yml, *.json, or Kustomization that neither .gitignore, .git/info/exclude nor, in a chart,
// .helmignore excludes, those that git tracks although it ignores them, and every file that the user named. Without git only the
// paths named are walked.
//
// Symlinks are not followed: a target inside the repository is read at its own path, and a target outside is not touched;
// Links returns them. Only a kustomization is also read under the symlink's name, because its meaning depends on the folder
// it is in. The list returned, sorted by path, holds everything that could hold manifests and was not read. The error is
// that of the context, of a pattern, or of a root that cannot be read.
func (r *Repo) Walk(ctx context.Context, o WalkOptions, visit func(File)) ([]Skip, error) {
	if r.IsWorkspace() {
		return r.walkMembers(ctx, o, visit, func(m *Member, o WalkOptions, visit func(File)) ([]Skip, error) { return m.Repo.Walk(ctx, o, visit) })
	}
	w := &walker{repo: r, ctx: ctx, visit: visit, queue: newQueue()}
	exclude, err := parseExclude(o.Exclude, o.at)
	if err != nil {
		return nil, err
	}
	w.exclude = exclude
	w.limit, w.texts, w.hidden = cmp.Or(o.MaxFileSize, worktree.DefaultMaxFileSize), o.Texts, o.Hidden
	w.own = o.Own
	if w.others = o.Others; !w.others {
		r.Limit = w.limit
		w.skipExcludedNames()
	}
	root, err := r.Handle.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Root, regular.Cause(err))
	}
	w.queue.add(func() { w.list(&folder{path: ".", dir: root, ignore: r.rootIgnores(), selected: r.named["."]}) })
	w.queue.run(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)))
	skips, err := w.leftOut(o)
	if err != nil {
		return nil, err
	}
	w.skips = append(w.skips, skips...)
	sortSkips(w.skips)
	if w.others {
		w.skips = nil
	}
	return w.skips, ctx.Err()
}

func sortSkips(skips []Skip) {
	slices.SortFunc(skips, func(a, b Skip) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
}

// walker is one walk.
type walker struct {
	repo    *Repo
	ctx     context.Context
	exclude patterns
	visit   func(File)
	queue   *queue
	limit   int64
	others  bool
	texts   func(string) bool
	own     func(string) bool

	mu     sync.Mutex
	skips  []Skip
	hidden *Hidden
}

// folder is an open folder. It is closed when the last task that needs it is done.
type folder struct {
	path   string
	dir    *os.Root
	ignore ignore.Rules
	// selected is true if the folder is in a path that the user named.
	selected bool
	// ignored is true if only paths that the user named are read in this folder.
	ignored bool
	// gitIgnored is true if only files that git tracks, or that the user named, are read in this folder.
	gitIgnored bool
	users      atomic.Int32
}

// join returns the path of an entry of the folder.
func (f *folder) join(name string) string {
	if f.path == "." {
		return name
	}
	return f.path + "/" + name
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

// skipExcludedNames reports the paths that the user named and the configuration excludes: no findings there does not mean
// no problems.
func (w *walker) skipExcludedNames() { w.skips = append(w.skips, w.repo.excludedNames(w.exclude)...) }

func (r *Repo) excludedNames(exclude patterns) []Skip {
	var skips []Skip
	for p := range r.named {
		for dir := p; dir != "."; dir = path.Dir(dir) {
			if exclude.match(dir) {
				skips = append(skips, Skip{Path: p, Reason: "excluded by the configuration"})
				break
			}
		}
	}
	return skips
}

func (w *walker) excluded(p string) bool { return w.exclude.match(p) }

// skipUnreadable reports a path that could not be read.
func (w *walker) skipUnreadable(p string, err error) {
	var size *worktree.SizeError
	w.mu.Lock()
	defer w.mu.Unlock()
	large := errors.As(err, &size)
	w.skips = append(w.skips, Skip{Path: p, Reason: worktree.Reason(err), Unreadable: !large, TooLarge: large})
}

// batch is how many files one task reads: enough to outweigh the cost of the queue, few enough to divide a large folder.
const batch = 64

// list reads a folder and queues its entries.
func (w *walker) list(f *folder) {
	f.users.Add(1)
	defer f.release()
	if w.ctx.Err() != nil {
		return
	}
	entries, err := worktree.ReadDir(filepath.Join(w.repo.Root, filepath.FromSlash(f.path)))
	if err != nil {
		w.skipUnreadable(f.path, err)
		return
	}
	if commit.IsTempFolder(path.Base(f.path), entries) {
		return
	}
	if why := foreignReason(f, entries); why != "" {
		w.skip(f.path, why)
		return
	}
	f.ignore = w.addIgnores(f, entries)
	var files []string
	for _, e := range entries {
		if p := f.join(e.Name()); w.addEntry(f, e, p) {
			files = append(files, p)
		}
	}
	for paths := range slices.Chunk(files, batch) {
		f.users.Add(1)
		w.queue.add(func() { w.read(f, paths) })
	}
}

// maxGitFile limits how much of a file .git, which contains one path, is read.
const maxGitFile = 1 << 16

// foreignReason returns why a folder is not part of this repository, or "": another work tree of a repository would duplicate
// every object. Submodules are read, because their content is deployed with the rest.
func foreignReason(f *folder, entries []fs.DirEntry) string {
	if f.path == "." {
		return ""
	}
	for _, e := range entries {
		if e.Name() != ".git" || !e.Type().IsRegular() {
			continue
		}
		data, err := worktree.ReadFile(f.dir, ".git", maxGitFile)
		if err == nil && strings.Contains(string(data), "/worktrees/") {
			return "it is another work tree of a git repository"
		}
	}
	return ""
}

// addEntry processes one entry of a folder, with its path. It queues folders, and reports whether the entry is a file to be read.
func (w *walker) addEntry(f *folder, e fs.DirEntry, p string) bool {
	named, way := w.repo.named[p], w.repo.ancestors[p]
	if worktree.IsGitFolder(e.Name()) || !w.inScope(f.selected || named || way) {
		return false
	}
	if w.excluded(p) {
		w.countExcluded(p, e)
		return false
	}
	gitIgnored := !named && (f.gitIgnored || f.ignore.Git(p, e.IsDir()))
	ignored := !named && (f.ignored || f.ignore.Helm(p, e.IsDir()) || gitIgnored && !w.tracked(p, e))
	if ignored && !way {
		return false
	}
	if w.repo.checkout.foldedWith(p) != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.skips = append(w.skips, w.repo.checkout.foldedSkip(p))
		return false
	}
	switch {
	case e.IsDir():
		w.descend(f, e.Name(), &folder{path: p, selected: f.selected || named, ignored: ignored, gitIgnored: gitIgnored})
	case e.Type()&fs.ModeSymlink != 0, w.repo.checkout.isTextLink(p):
		w.link(p)
	case (IsManifest(e.Name()) || named) == w.others:
		return e.Type().IsRegular() && w.isText(p)
	case e.Type().IsRegular():
		return true
	default:
		w.skip(p, regular.ErrKind.Error())
	}
	return false
}

// tracked reports whether git tracks an ignored entry. It counts the manifests that git does not track.
func (w *walker) tracked(p string, e fs.DirEntry) bool {
	is, known := w.repo.Git.TracksIgnored(w.ctx, p, e.IsDir())
	if !is && w.hidden != nil && e.Type().IsRegular() && w.countsAsHidden(p) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.hidden.Ignored++
		w.hidden.Unknown = w.hidden.Unknown || !known
	}
	return is
}

// countExcluded counts an entry that the configuration excludes.
func (w *walker) countExcluded(p string, e fs.DirEntry) {
	if w.hidden == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hidden.countExcluded(w.exclude, p, e.IsDir(), w.countsAsHidden(p))
}

// countsAsHidden reports whether a file that ignore rules hide is a manifest.
func (w *walker) countsAsHidden(p string) bool { return IsManifest(p) && (w.own == nil || !w.own(p)) }

// inScope reports whether the walk enters a path: in a git repository always, otherwise only if the user selected it.
func (w *walker) inScope(selected bool) bool {
	return selected || w.repo.GitRoot != "" && !w.repo.namedOnly
}

// descend queues a folder. Its parent stays open until then.
func (w *walker) descend(parent *folder, name string, child *folder) {
	parent.users.Add(1)
	w.queue.add(func() {
		defer parent.release()
		dir, err := parent.dir.OpenRoot(name)
		if err != nil {
			w.skipUnreadable(child.path, err)
			return
		}
		child.dir, child.ignore = dir, parent.ignore
		w.list(child)
	})
}

// read reads files of a folder and passes them on.
func (w *walker) read(f *folder, paths []string) {
	defer f.release()
	folder := regular.OpenNames(f.dir)
	defer folder.Close()
	for _, p := range paths {
		if w.ctx.Err() != nil {
			return
		}
		if w.others {
			w.visit(File{Path: p})
			continue
		}
		name := path.Base(p)
		if w.isText(p) {
			if data, err := worktree.Limited(folder.Read(name, maxText)); err == nil {
				w.visit(File{Path: p, Size: int64(len(data)), Data: data, Text: true})
			}
			continue
		}
		data, err := worktree.Limited(folder.Read(name, w.limit))
		if err != nil {
			w.skipUnreadable(p, err)
			continue
		}
		w.visit(File{Path: p, Size: int64(len(data)), Data: data})
	}
}

// isText reports whether a file is read although it is no manifest.
func (w *walker) isText(p string) bool {
	return w.texts != nil && !IsManifest(p) && !w.repo.named[p] && w.texts(p)
}

// IsManifest reports whether kubectl or kustomize reads files of this name. Walk reads only those, unless the user named
// others.
func IsManifest(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return path.Base(p) == "Kustomization"
}

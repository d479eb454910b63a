package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/ignore"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/worktree"
)

// Revision is the repository as it was at a commit. It is read through git: nothing in the work tree changes, and of the work
// tree only the submodules that have not changed are read.
type Revision struct {
	// Commit is the commit, and Submodules what is known of its submodules.
	Commit     string
	Submodules git.Submodules

	repo *Repo
	// of are the revisions of the repositories of a workspace; then the fields below are not set.
	of    map[*Member]*Revision
	tree  *git.Tree
	blobs *git.Blobs
	limit int64
	links map[string]string
}

// Revision opens the repository as it was at the commit that Changed compares with. The error is that of Changed. It has to
// be closed. For a workspace it is that of each repository, and "" the default branch of each.
func (r *Repo) Revision(ctx context.Context, rev string) (*Revision, error) {
	if r.IsWorkspace() {
		return r.membersAt(ctx, rev)
	}
	commit, err := r.Git.Base(ctx, rev)
	if err != nil {
		return nil, err
	}
	v := &Revision{Commit: commit, repo: r, limit: worktree.DefaultMaxFileSize, links: map[string]string{}}
	if v.tree, err = r.Git.Tree(ctx, commit); err != nil {
		return nil, err
	}
	if v.Submodules, err = r.Git.Submodules(ctx, v.tree.Modules); err != nil {
		return nil, err
	}
	if v.blobs, err = r.Git.Blobs(ctx); err != nil {
		return nil, err
	}
	v.tree.Read = v.blobs.Read
	for name, link := range v.tree.Links {
		v.tree.List(path.Dir(name), gitLink{link})
	}
	for _, name := range v.Submodules.Same {
		v.tree.List(path.Dir(name), git.Folder(path.Base(name)))
	}
	return v, nil
}

// Close ends the run of git.
func (v *Revision) Close() {
	for _, of := range v.of {
		of.Close()
	}
	if v.blobs != nil {
		v.blobs.Close()
	}
}

// gitLink is a symlink that git lists.
type gitLink struct{ *git.File }

func (gitLink) Mode() fs.FileMode  { return fs.ModeSymlink | 0o777 }
func (gitLink) ModTime() time.Time { return time.Time{} }

// Has reports whether a file or folder exists.
func (v *Revision) Has(name string) bool {
	if v.repo.IsWorkspace() {
		_, err := fs.Stat(v, name)
		return err == nil
	}
	_, isLink := v.tree.Links[name]
	_, err := fs.Stat(v, name)
	return isLink || err == nil
}

// inSubmodule reports whether a path is in a submodule that is read from the work tree.
func (v *Revision) inSubmodule(name string) bool {
	return slices.ContainsFunc(v.Submodules.Same, func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") })
}

// Open opens a file or folder. Symlinks are followed inside the repository.
func (v *Revision) Open(name string) (fs.File, error) {
	if v.repo.IsWorkspace() {
		return v.files().Open(name)
	}
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	real, err := v.resolve(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if v.inSubmodule(real) {
		return v.repo.FS().Open(real)
	}
	return v.tree.Open(real)
}

// ReadLink returns the target of a symlink.
func (v *Revision) ReadLink(name string) (string, error) {
	if v.repo.IsWorkspace() {
		return v.files().ReadLink(name)
	}
	link := v.tree.Links[name]
	if link == nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	target, err := v.blobs.Read(link.Object)
	return string(target), err
}

// Lstat returns a symlink as it is.
func (v *Revision) Lstat(name string) (fs.FileInfo, error) {
	if v.repo.IsWorkspace() {
		return v.files().Lstat(name)
	}
	if link := v.tree.Links[name]; link != nil {
		return gitLink{link}, nil
	}
	return fs.Stat(v, name)
}

// resolve follows the symlinks in a path. The error is ErrOutside if it would leave the repository.
func (v *Revision) resolve(name string) (string, error) {
	if len(v.tree.Links) == 0 {
		return name, nil
	}
	return worktree.FollowLinks(name, func(name string) (target string, is bool, err error) {
		if v.tree.Links[name] == nil {
			return "", false, nil
		}
		target, err = v.ReadLink(name)
		return target, true, err
	})
}

// Read returns the content of a file, as Repo.Read does.
func (v *Revision) Read(p string) ([]byte, error) {
	if v.repo.IsWorkspace() {
		return inMember(v.repo, p, func(m *Member, p string) ([]byte, error) { return v.of[m].Read(p) })
	}
	real, err := v.resolve(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	if v.inSubmodule(real) {
		return v.repo.Read(real)
	}
	file := v.tree.Files[real]
	if file == nil {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	if err := v.checkSize(file); err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return v.blobs.Read(file.Object)
}

func (v *Revision) checkSize(f *git.File) error {
	if f.Size() > v.limit {
		return &worktree.SizeError{SizeError: &regular.SizeError{Size: f.Size(), Limit: v.limit}}
	}
	return nil
}

// Text returns the content of a file, as Repo.Text does.
func (v *Revision) Text(p string) ([]byte, error) {
	data, err := v.Read(p)
	if err != nil || worktree.IsBinary(data) {
		return nil, err
	}
	return data, nil
}

// Links returns the symlinks that walks have found, with the paths to which they lead.
func (v *Revision) Links() map[string]string {
	if v.repo.IsWorkspace() {
		return v.repo.membersLinks(func(m *Member) map[string]string { return v.of[m].Links() })
	}
	return maps.Clone(v.links)
}

// Ignored reports whether git ignores a new file, as Repo.Ignored does.
func (v *Revision) Ignored(file string) (place string, ignored bool) { return v.repo.Ignored(file) }

// Walk reads the manifests of the revision and calls visit with each, with the rules of Repo.Walk. Git's ignore rules do not
// matter, because git tracks all files of a commit.
func (v *Revision) Walk(ctx context.Context, o WalkOptions, visit func(File)) ([]Skip, error) {
	if v.repo.IsWorkspace() {
		return v.repo.walkMembers(ctx, o, visit, func(m *Member, o WalkOptions, visit func(File)) ([]Skip, error) { return v.of[m].Walk(ctx, o, visit) })
	}
	exclude, err := parseExclude(o.Exclude, o.at)
	if err != nil {
		return nil, err
	}
	w := &revisionWalk{Revision: v, exclude: exclude, options: o, visit: visit}
	if !o.Others {
		v.limit = cmp.Or(o.MaxFileSize, worktree.DefaultMaxFileSize)
		w.skips = v.repo.excludedNames(exclude)
	}
	w.list(".", ignore.Rules{}, false)
	if err := w.readFiles(); err != nil {
		return nil, err
	}
	if err := w.submodules(ctx); err != nil {
		return nil, err
	}
	sortSkips(w.skips)
	if o.Others {
		w.skips = nil
	}
	return w.skips, ctx.Err()
}

// revisionWalk is one walk.
type revisionWalk struct {
	*Revision
	exclude patterns
	options WalkOptions
	visit   func(File)
	skips   []Skip
	found   []foundFile
}

// foundFile is a file to be read.
type foundFile struct {
	path   string
	file   *git.File
	isText bool
}

func (w *revisionWalk) skip(p string, err error) {
	var size *worktree.SizeError
	large := errors.As(err, &size)
	w.skips = append(w.skips, Skip{Path: p, Reason: worktree.Reason(err), Unreadable: !large, TooLarge: large})
}

// list goes through a folder.
func (w *revisionWalk) list(dir string, ignore ignore.Rules, ignored bool) {
	ignore = w.helmRules(dir, ignore)
	for _, e := range w.tree.Entries(dir) {
		p := path.Join(dir, e.Name())
		named, way := w.repo.named[p], w.repo.ancestors[p]
		hidden := !named && (ignored || ignore.Helm(p, e.IsDir()))
		if w.repo.namedOnly && !way && !w.repo.Selected(p) {
			continue
		}
		if w.exclude.match(p) {
			w.countExcluded(p, e.IsDir())
			continue
		}
		if hidden && !way {
			continue
		}
		isManifest := IsManifest(e.Name()) || named
		switch {
		case e.IsDir():
			if w.tree.HasFolder(p) { // not a submodule
				w.list(p, ignore, hidden)
			}
		case e.Type()&fs.ModeSymlink != 0:
			w.link(p)
		case w.options.Others:
			if !isManifest {
				w.visit(File{Path: p})
			}
		case isManifest:
			w.add(p, false)
		case w.options.Texts != nil && w.options.Texts(p) && w.tree.Files[p].Size() <= maxText:
			w.add(p, true)
		}
	}
}

// countExcluded counts an entry that the configuration excludes, as walker.countExcluded does.
func (w *revisionWalk) countExcluded(p string, isDir bool) {
	if w.options.Hidden != nil {
		w.options.Hidden.countExcluded(w.exclude, p, isDir, IsManifest(p) && (w.options.Own == nil || !w.options.Own(p)))
	}
}

// helmRules adds the rules of a chart to those of the folders above.
func (w *revisionWalk) helmRules(dir string, above ignore.Rules) ignore.Rules {
	if w.tree.Files[path.Join(dir, "Chart.yaml")] == nil {
		return above
	}
	name := path.Join(dir, ".helmignore")
	var data []byte
	if file := w.tree.Files[name]; file != nil && file.Size() <= maxIgnoreSize {
		var err error
		if data, err = w.blobs.Read(file.Object); err != nil {
			w.skip(name, err)
		}
	}
	rules, err := above.WithHelm(dir, data)
	if err != nil {
		w.skips = append(w.skips, Skip{Path: name, Reason: err.Error()})
	}
	return rules
}

func (w *revisionWalk) add(p string, isText bool) {
	file := w.tree.Files[p]
	if err := w.checkSize(file); err != nil {
		w.skip(p, err)
		return
	}
	w.found = append(w.found, foundFile{p, file, isText})
}

// readFiles reads what was found with one question to git.
func (w *revisionWalk) readFiles() error {
	if len(w.found) == 0 {
		return nil
	}
	objects := make([]string, len(w.found))
	for i, f := range w.found {
		objects[i] = f.file.Object
	}
	return w.blobs.ReadAll(objects, func(i int, data []byte) {
		f := w.found[i]
		w.visit(File{Path: f.path, Size: int64(len(data)), Data: data, Text: f.isText})
	})
}

// link reports symlinks to manifests that are not read elsewhere, as walker.link does.
func (w *revisionWalk) link(p string) {
	real, err := w.resolve(p)
	isDir := err == nil && (w.tree.HasFolder(real) || w.inSubmodule(real))
	if err == nil && !isDir && w.tree.Files[real] == nil {
		err = fs.ErrNotExist
	}
	if err == nil {
		w.links[p] = real
		if !isDir && !w.options.Others && isKustomization(path.Base(p)) {
			w.linkedKustomization(p, real)
			return
		}
	}
	switch {
	case !isDir && !IsManifest(p):
	case errors.Is(err, worktree.ErrOutside):
		w.skips = append(w.skips, Skip{Path: p, Reason: worktree.ErrOutside.Error()})
	case err != nil:
		w.skips = append(w.skips, Skip{Path: p, Reason: "the symlink's target cannot be read"})
	case !isDir && !IsManifest(real):
		w.skips = append(w.skips, Skip{Path: p, Reason: "the symlink points to " + real + ", which is not read as a manifest"})
	}
}

func (w *revisionWalk) linkedKustomization(p, real string) {
	data, err := w.Read(real)
	if err != nil {
		w.skip(p, err)
		return
	}
	w.visit(File{Path: p, Size: int64(len(data)), Data: data})
}

// submodules visits the files of submodules that have not changed.
func (w *revisionWalk) submodules(ctx context.Context) error {
	if len(w.Submodules.Same) == 0 {
		return nil
	}
	skips, err := w.repo.Walk(ctx, w.options, func(f File) {
		if w.inSubmodule(f.Path) {
			w.visit(f)
		}
	})
	for _, skip := range skips {
		if w.inSubmodule(skip.Path) {
			w.skips = append(w.skips, skip)
		}
	}
	return err
}

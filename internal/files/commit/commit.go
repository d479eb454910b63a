package commit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/worktree"
)

// Writer writes files of a repository, and takes over what killed runs left.
type Writer struct {
	tree *worktree.Tree
	// tracks reports whether git tracks a file in a folder.
	tracks func(ctx context.Context, folder string) bool
	// Probe, if set, is called before every operation of Commit and Recover that changes the disk, and its error takes the place
	// of the operation. Tests use it to simulate a full disk, a kill, and other programs.
	Probe func(operation, path string) error
	// recovered are the temporary folders of killed runs.
	recovered []*tempFolder
}

// NewWriter returns the writer of a repository. tracks reports whether git tracks a file in a folder.
func NewWriter(tree *worktree.Tree, tracks func(ctx context.Context, folder string) bool) *Writer {
	return &Writer{tree: tree, tracks: tracks}
}

// Commit changes files. It writes all new contents into a temporary folder, checks that no target has changed, and only then
// moves them into place, by Order. An error before the moves (a *ChangedError, a full disk, the end of the context) leaves every
// file as it was; an error while moving is a *PartialError. Each file is compared again when it is moved: what another program
// changed, created, or deleted meanwhile is left as it is, and nothing is written after it. A symlink is written through to its
// target, inside the repository only.
func (wr *Writer) Commit(ctx context.Context, b Batch) (err error) {
	staged, err := wr.plan(b.Writes)
	if err != nil {
		return fmt.Errorf("%w; %w", err, errNothing)
	}
	c := &commit{writer: wr, staged: staged}
	defer func() {
		for _, dir := range c.temps {
			err = errors.Join(err, dir.close())
		}
	}()
	if len(staged) > 0 {
		if err := c.write(ctx, b.Record); err != nil {
			return err
		}
	}
	return wr.forget(b.KeepRecords)
}

// commit is the writing of one batch.
type commit struct {
	writer *Writer
	staged []*staged
	// temps are the folders of the staged files: one in the root, and one for each folder of another file system.
	temps []*tempFolder
}

// write stages and moves the files.
func (c *commit) write(ctx context.Context, record []byte) error {
	if err := c.stageAll(ctx, record); err != nil {
		return fmt.Errorf("%w; %w", err, errNothing)
	}
	for _, s := range c.staged {
		if s.follows {
			continue
		}
		if err := c.writer.check(s); err != nil {
			return fmt.Errorf("%w; %w; run again", err, errNothing)
		}
	}
	if err := c.checkInUse(); err != nil {
		return fmt.Errorf("%w; %w", err, errNothing)
	}
	err := c.move(ctx)
	var partial *PartialError
	if errors.As(err, &partial) && len(record) > 0 {
		c.temps[0].keepRecord, partial.Kept = true, c.temps[0].path
	}
	return err
}

func (c *commit) stageAll(ctx context.Context, record []byte) error {
	dir, err := c.writer.newTempFolder(".")
	if err != nil {
		return fmt.Errorf("the temporary folder: %w", regular.Cause(err))
	}
	c.temps = append(c.temps, dir)
	if len(record) > 0 {
		if err := dir.put(recordName, record); err != nil {
			return fmt.Errorf("the temporary folder: %w", regular.Cause(err))
		}
	}
	for _, s := range c.staged {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := c.stage(s); err != nil {
			return fmt.Errorf("%s: %w", s.Path, regular.Cause(err))
		}
	}
	return nil
}

// staged is a pending write: its target, the target's attributes, and the temporary file with the new content.
type staged struct {
	Write
	target string
	mode   fs.FileMode
	// info identifies the file that is to be replaced or removed; nil for a new file.
	info fs.FileInfo
	// follows is set if the write before it puts the file that it replaces into place.
	follows bool
	dir     *tempFolder
	temp    string      // the name in dir; "" for a file to be removed
	made    fs.FileInfo // of the temporary file
	next    *staged     // the next write of the same file
}

// plan finds the real targets and sorts the writes.
func (wr *Writer) plan(writes []Write) ([]*staged, error) {
	out := make([]*staged, 0, len(writes))
	sorted := slices.Clone(writes)
	slices.SortStableFunc(sorted, func(a, b Write) int { return cmp.Compare(a.Order, b.Order) })
	last := map[string]*staged{} // by path
	seen := map[string]string{}
	for _, w := range sorted {
		if before := last[w.Path]; before != nil {
			s, err := before.followedBy(w)
			if err != nil {
				return nil, err
			}
			out, last[w.Path] = append(out, s), s
			continue
		}
		s, err := wr.planOne(w)
		if err != nil {
			return nil, err
		}
		if other, double := seen[s.target]; double {
			return nil, fmt.Errorf("%s and %s are one file and cannot be written in one run", other, w.Path)
		}
		seen[s.target], last[w.Path] = w.Path, s
		out = append(out, s)
	}
	return out, nil
}

// followedBy plans a further write of the same file.
func (s *staged) followedBy(w Write) (*staged, error) {
	if s.After == nil && w.Before != nil || s.After != nil && (w.Before == nil || !bytes.Equal(s.After, w.Before)) {
		return nil, fmt.Errorf("internal error: the changes of %s do not follow from each other", w.Path)
	}
	s.next = &staged{Write: w, target: s.target, mode: s.mode, follows: true}
	return s.next, nil
}

func (wr *Writer) planOne(w Write) (*staged, error) {
	if !filepath.IsLocal(filepath.FromSlash(w.Path)) || worktree.InGitFolder(w.Path) {
		return nil, fmt.Errorf("%s: only files of the repository are written", w.Path)
	}
	if w.Before == nil {
		return wr.planNew(w)
	}
	target, err := wr.tree.Resolve(w.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ChangedError{w.Path}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	if worktree.InGitFolder(target) {
		return nil, fmt.Errorf("%s: the symlink leads into .git", w.Path)
	}
	info, err := wr.tree.Handle.Lstat(filepath.FromSlash(target))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, regular.Cause(err))
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, fmt.Errorf("%s is read-only: make it writable (chmod u+w), or pass only the paths of other files to fix", w.Path)
	}
	return &staged{Write: w, target: target, mode: info.Mode() & keptMode, info: info}, nil
}

// keptMode are the bits of the mode that a changed file keeps.
const keptMode = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// planNew finds the place of a new file: its folder must exist.
func (wr *Writer) planNew(w Write) (*staged, error) {
	if w.After == nil {
		return nil, fmt.Errorf("%s: a write needs content before or after", w.Path)
	}
	dir, err := wr.tree.Resolve(path.Dir(w.Path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	return &staged{Write: w, target: path.Join(dir, path.Base(w.Path)), mode: newFileMode}, nil
}

// newFileMode is before the user's umask, as for any program that creates files.
const newFileMode = 0o666

// HardLinked returns those of some files that have other names, which keep the old content when the files are replaced.
func (wr *Writer) HardLinked(writes []Write) []string {
	var linked []string
	for _, w := range writes {
		target, err := wr.tree.Resolve(w.Path)
		if err != nil || w.Before == nil || slices.Contains(linked, w.Path) {
			continue // Commit reports the error
		}
		if info, err := wr.tree.Handle.Lstat(filepath.FromSlash(target)); err == nil && hardLinks(info) > 1 {
			linked = append(linked, w.Path)
		}
	}
	return linked
}

// check returns a *ChangedError if the target is not the file from which the change was computed.
func (wr *Writer) check(s *staged) error {
	info, err := wr.tree.Handle.Lstat(filepath.FromSlash(s.target))
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.info == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), err == nil && s.info == nil:
		return &ChangedError{s.Path}
	case err != nil:
		return fmt.Errorf("%s: %w", s.Path, regular.Cause(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", s.Path, regular.ErrKind)
	case !os.SameFile(info, s.info):
		return &ChangedError{s.Path}
	}
	return wr.checkContent(s, wr.tree.Handle, filepath.FromSlash(s.target))
}

// checkContent returns a *ChangedError if a file does not have the content from which the change was computed.
func (wr *Writer) checkContent(s *staged, dir *os.Root, name string) error {
	now, err := worktree.ReadFile(dir, name, max(wr.tree.Limit, int64(len(s.Before))))
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", s.Path, err)
	case err != nil, !bytes.Equal(now, s.Before):
		return &ChangedError{s.Path}
	}
	return nil
}

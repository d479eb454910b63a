package repo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write is one file to be changed.
type Write struct {
	Path string
	// Before is what the file held when the change was computed; nil when there was none.
	Before []byte
	// After is what it shall hold; nil removes it.
	After []byte
	// Order says what comes first: OrderGrant, OrderKustomization, OrderOther, OrderRemoval.
	Order int
}

// A run may be cut off between two files. In this order it leaves no identity without its permissions, and no
// kustomization that lists a file which is not there.
const (
	OrderGrant = iota
	OrderKustomization
	OrderOther
	OrderRemoval
)

// ChangedError says that a file is not what it was when its change was computed. Nothing was written.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + " was changed by somebody else in the meantime; nothing was written: run again"
}

// PartialError says that writing broke off after the first files were in place.
type PartialError struct {
	// Done and NotDone are the paths in the order in which they were to be written.
	Done, NotDone []string
	Err           error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%v; written: %s; not written: %s; run again when the cause is gone", e.Err,
		strings.Join(e.Done, ", "), strings.Join(e.NotDone, ", "))
}

func (e *PartialError) Unwrap() error { return e.Err }

// disk is how files are written; tests put a full disk in its place.
type disk struct {
	write  func(f *os.File, data []byte) error
	rename func(from, to string) error
	remove func(name string) error
}

// writeFile writes a staged file and waits until it is on the disk.
func writeFile(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// Commit changes files. First it writes all new contents beside their targets, then it makes sure that every target
// still is what it was, and only then it moves them into place, by Order. An error before that (a *ChangedError, a full
// disk, no permission) leaves every file as it was; one while moving is a *PartialError. A symlink is written through to
// the file it points at, inside the repository only.
func (r *Repo) Commit(writes []Write) (err error) {
	staged, err := r.plan(writes)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range staged {
			err = errors.Join(err, r.discard(s))
		}
	}()
	for _, s := range staged {
		if err := r.stage(s); err != nil {
			return fmt.Errorf("%s: %w; nothing was written", s.Path, cause(err))
		}
	}
	for _, s := range staged {
		if err := r.unchanged(s); err != nil {
			return err
		}
	}
	return r.move(staged)
}

// staged is a write on its way: the file it goes to, what is known of that, and the file that holds the new content
// until then.
type staged struct {
	Write
	target string
	mode   fs.FileMode
	info   fs.FileInfo // nil for a new file
	temp   string      // "" when there is none, or no more
}

// plan finds the real targets and sorts the writes.
func (r *Repo) plan(writes []Write) ([]*staged, error) {
	out := make([]*staged, 0, len(writes))
	seen := map[string]string{}
	for _, w := range writes {
		s, err := r.planOne(w)
		if err != nil {
			return nil, err
		}
		if other, double := seen[s.target]; double {
			return nil, fmt.Errorf("%s and %s are one file and cannot be written in one run", other, w.Path)
		}
		seen[s.target] = w.Path
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b *staged) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Path, b.Path))
	})
	return out, nil
}

func (r *Repo) planOne(w Write) (*staged, error) {
	if !filepath.IsLocal(filepath.FromSlash(w.Path)) || inGitFolder(w.Path) {
		return nil, fmt.Errorf("%s: only files of the repository are written", w.Path)
	}
	if w.Before == nil {
		return r.planNew(w)
	}
	target, err := r.resolve(w.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &ChangedError{w.Path}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	if inGitFolder(target) {
		return nil, fmt.Errorf("%s: the symlink leads into .git", w.Path)
	}
	info, err := r.root.Lstat(filepath.FromSlash(target))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, cause(err))
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, fmt.Errorf("%s is read-only; nothing was written", w.Path)
	}
	return &staged{Write: w, target: target, mode: info.Mode().Perm(), info: info}, nil
}

// planNew finds the place of a new file: its folder must be there.
func (r *Repo) planNew(w Write) (*staged, error) {
	if w.After == nil {
		return nil, fmt.Errorf("%s: a write needs a content before or after", w.Path)
	}
	dir, err := r.resolve(path.Dir(w.Path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	return &staged{Write: w, target: path.Join(dir, path.Base(w.Path)), mode: newFileMode}, nil
}

// newFileMode is before the user's umask, as for any program that creates files.
const newFileMode = 0o666

// unchanged makes sure that the target is what it was.
func (r *Repo) unchanged(s *staged) error {
	now, err := readFile(r.root, filepath.FromSlash(s.target), max(r.limit, int64(len(s.Before))))
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.Before == nil:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w; nothing was written", s.Path, err)
	case err != nil || s.Before == nil || !bytes.Equal(now, s.Before):
		return &ChangedError{s.Path}
	}
	return nil
}

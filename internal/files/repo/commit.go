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

	"github.com/salint/salint/internal/files/regular"
)

// Write is one file to be changed.
type Write struct {
	Path string
	// Before is the content from which the change was computed; nil if there was no file.
	Before []byte
	// After is the new content; nil removes the file.
	After []byte
	// Order sorts the writes: OrderGrant, OrderKustomization, OrderOther, OrderRemoval.
	Order int
}

// A run can be interrupted between two files. In this order, no identity ever lacks its permissions, and no kustomization
// lists a file that does not exist.
const (
	OrderGrant = iota
	OrderKustomization
	OrderOther
	OrderRemoval
)

// ChangedError reports a file that changed after its edit was computed. Nothing was written.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return e.Path + " was changed by another program in the meantime; nothing was written: run again"
}

// PartialError reports that writing stopped after the first files were in place.
type PartialError struct {
	// Done and NotDone are the paths in the order of writing.
	Done, NotDone []string
	Err           error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%v; written: %s; not written: %s; fix the cause and run again", e.Err,
		strings.Join(e.Done, ", "), strings.Join(e.NotDone, ", "))
}

func (e *PartialError) Unwrap() error { return e.Err }

// disk holds the functions that write files; tests replace them to simulate a full disk.
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

// Commit changes files. It writes all new contents beside their targets, checks that no target has changed, and only then
// moves them into place, by Order. An error before the moves (a *ChangedError, a full disk, no permission) leaves every
// file as it was; an error while moving is a *PartialError. A symlink is written through to its target, inside the
// repository only.
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
			return fmt.Errorf("%s: %w; nothing was written", s.Path, regular.Cause(err))
		}
	}
	for _, s := range staged {
		if err := r.checkUnchanged(s); err != nil {
			return err
		}
	}
	return r.move(staged)
}

// staged is a pending write: its target, the target's attributes, and the temporary file with the new content.
type staged struct {
	Write
	target string
	mode   fs.FileMode
	info   fs.FileInfo // nil for a new file
	temp   string      // "" if there is none, or no longer
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
		return nil, fmt.Errorf("%s: %w", w.Path, regular.Cause(err))
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, fmt.Errorf("%s is read-only; nothing was written", w.Path)
	}
	return &staged{Write: w, target: target, mode: info.Mode().Perm(), info: info}, nil
}

// planNew finds the place of a new file: its folder must exist.
func (r *Repo) planNew(w Write) (*staged, error) {
	if w.After == nil {
		return nil, fmt.Errorf("%s: a write needs content before or after", w.Path)
	}
	dir, err := r.resolve(path.Dir(w.Path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	return &staged{Write: w, target: path.Join(dir, path.Base(w.Path)), mode: newFileMode}, nil
}

// newFileMode is before the user's umask, as for any program that creates files.
const newFileMode = 0o666

// checkUnchanged checks that the target has not changed.
func (r *Repo) checkUnchanged(s *staged) error {
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

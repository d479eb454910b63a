package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/worktree"
)

// maxRecord limits how much of a record is read. The repository is hostile: the record of a killed run can be forged.
const maxRecord = 1 << 20

// Killed returns the temporary folders of runs that ended before they had written everything. Those of runs that go on, and
// folders that git tracks, are left out.
func (wr *Writer) Killed(ctx context.Context) []string {
	folders := wr.killed(ctx)
	var paths []string
	for _, t := range folders {
		paths = append(paths, t.path)
		t.lock.Close()
		t.dir.Close()
	}
	return paths
}

// Recover takes over the temporary folders of killed runs. It removes their staged files and returns their records, which
// anyone who can write to the repository can forge. The next Commit removes the rest of these folders.
func (wr *Writer) Recover(ctx context.Context) (records [][]byte, err error) {
	for _, t := range wr.killed(ctx) {
		wr.recovered = append(wr.recovered, t)
		for _, other := range t.others() {
			if abandoned := wr.abandoned(ctx, other); abandoned != nil {
				err = errors.Join(err, abandoned.close())
			}
		}
		data, readErr := worktree.ReadFile(t.dir, recordName, maxRecord)
		if t.keepRecord = readErr == nil; t.keepRecord {
			records = append(records, data)
		}
		if removeErr := t.removeFiles(); removeErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", t.path, regular.Cause(removeErr)))
		}
	}
	return records, err
}

// forget removes the temporary folders that Recover took over, apart from records that are kept.
func (wr *Writer) forget(keepRecords bool) (err error) {
	for _, t := range wr.recovered {
		t.keepRecord = t.keepRecord && keepRecords
		err = errors.Join(err, t.close())
	}
	wr.recovered = nil
	return err
}

// Release ends the use of the temporary folders that Recover took over. Their records stay for a later run.
func (wr *Writer) Release() { _ = wr.forget(true) } // a later run tries again to remove the rest

// killed opens and locks the temporary folders of killed runs in the root.
func (wr *Writer) killed(ctx context.Context) []*tempFolder {
	entries, err := worktree.ReadDir(wr.tree.Root)
	if err != nil {
		return nil // the walk reports it
	}
	var found []*tempFolder
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if t := wr.abandoned(ctx, e.Name()); t != nil {
			found = append(found, t)
		}
	}
	return found
}

// abandoned opens and locks a temporary folder; nil if it is none, if its run goes on, or if git tracks a file in it. A path through a
// symlink is none: git does not say whether it tracks what is behind one.
func (wr *Writer) abandoned(ctx context.Context, name string) *tempFolder {
	if real, err := wr.tree.Resolve(name); err != nil || real != name {
		return nil
	}
	info, err := wr.tree.Handle.Lstat(filepath.FromSlash(name))
	if err != nil || !info.IsDir() {
		return nil
	}
	dir, err := wr.tree.Handle.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	t := &tempFolder{writer: wr, path: name, dir: dir}
	if t.list() && !wr.tracks(ctx, name) && t.takeLock() {
		return t
	}
	dir.Close()
	return nil
}

// list reads the names of the files. It returns false if one has another name than salint gives.
func (t *tempFolder) list() bool {
	f, err := t.dir.Open(".")
	if err != nil {
		return false
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil || !IsTempFolder(path.Base(t.path), entries) {
		return false
	}
	for _, e := range entries {
		t.names = append(t.names, e.Name())
	}
	return true
}

// takeLock locks the folder. A run that is creating it finds that its lock exists, and creates another folder.
func (t *tempFolder) takeLock() bool {
	f, err := t.dir.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return false
	}
	t.lock = f
	return true
}

// others returns the temporary folders of the same run on other file systems.
func (t *tempFolder) others() []string {
	data, err := worktree.ReadFile(t.dir, foldersName, maxRecord)
	if err != nil {
		return nil
	}
	var others []string
	for name := range strings.Lines(string(data)) {
		if name = strings.TrimSuffix(name, "\n"); fs.ValidPath(name) && !worktree.InGitFolder(name) {
			others = append(others, name)
		}
	}
	return others
}

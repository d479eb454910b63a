package commit

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// tempPrefix begins the names of folders with temporary files, and randomLength is the length of the rest of these names.
const (
	tempPrefix   = ".salint-tmp-"
	randomLength = 26
)

// The files of a temporary folder, beside the staged ones, whose names are numbers.
const (
	ignoreName  = ".gitignore" // lets git ignore the folder
	lockName    = "lock"       // is locked as long as the run lasts
	recordName  = "record"     // is what the next run must know
	foldersName = "folders"    // lists the temporary folders on other file systems, one in each line
)

// tempFolder is a folder of temporary files. It is in the same file system as the files that it replaces, so that a move is
// atomic. git ignores it, walks leave it out, and the next run removes it if this one is killed.
type tempFolder struct {
	writer *Writer
	path   string // in the repository
	dir    *os.Root
	lock   *os.File
	// names are the files that exist.
	names  []string
	staged int
	// keepRecord keeps the folder with nothing but the record.
	keepRecord bool
}

// maxTries is how often a temporary folder is created: another run can take a new one for that of a killed run.
const maxTries = 10

// newTempFolder creates a temporary folder in a folder of the repository.
func (wr *Writer) newTempFolder(in string) (*tempFolder, error) {
	var err error
	for range maxTries {
		t := &tempFolder{writer: wr, path: path.Join(in, tempPrefix+rand.Text())}
		if err = t.create(); err == nil {
			return t, nil
		}
		if closeErr := t.close(); !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, closeErr)
		}
	}
	return nil, err
}

func (t *tempFolder) create() error {
	name := filepath.FromSlash(t.path)
	if err := t.writer.before("mkdir", t.path); err != nil {
		return err
	}
	if err := t.writer.tree.Handle.Mkdir(name, 0o700); err != nil {
		return err
	}
	var err error
	if t.dir, err = t.writer.tree.Handle.OpenRoot(name); err != nil {
		return err
	}
	if t.lock, err = t.open(lockName, 0o600); err != nil {
		return err
	}
	if err := lockFile(t.lock); err != nil {
		return err
	}
	return t.put(ignoreName, []byte("*\n"))
}

// open creates a file.
func (t *tempFolder) open(name string, mode fs.FileMode) (*os.File, error) {
	if err := t.writer.before("create", path.Join(t.path, name)); err != nil {
		return nil, err
	}
	f, err := t.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		t.names = append(t.names, name)
	}
	return f, err
}

// put writes a file, and waits until it is on the disk.
func (t *tempFolder) put(name string, data []byte) error {
	f, err := t.open(name, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(t.writer.fill(f, path.Join(t.path, name), data), f.Close())
}

// nextName returns the name of the next staged file.
func (t *tempFolder) nextName() string {
	t.staged++
	return strconv.Itoa(t.staged)
}

// remove removes a file.
func (t *tempFolder) remove(name string) error {
	if err := t.writer.before("remove", path.Join(t.path, name)); err != nil {
		return err
	}
	err := t.dir.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// close removes the folder, or leaves nothing in it but the record. The lock is removed last: as long as it exists, no other
// run takes the folder for one that is being created.
func (t *tempFolder) close() error {
	if t.dir == nil {
		return nil
	}
	err, isEmpty := t.removeFiles(), false
	if !t.keepRecord && err == nil {
		err = t.remove(lockName)
		isEmpty = err == nil
	}
	if isEmpty {
		err = t.removeFolder()
	}
	if t.lock != nil {
		t.lock.Close()
	}
	t.dir.Close()
	if isEmpty && err != nil { // some file systems keep an entry for a file that is removed while it is open
		if err = t.removeFolder(); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s was left behind: %w", t.path, regular.Cause(err))
	}
	return nil
}

func (t *tempFolder) removeFolder() error {
	if err := t.writer.before("rmdir", t.path); err != nil {
		return err
	}
	return t.writer.tree.Handle.Remove(filepath.FromSlash(t.path))
}

func (t *tempFolder) removeFiles() error {
	var first error
	for _, name := range t.names {
		switch {
		case name == lockName, t.keepRecord && (name == recordName || name == ignoreName):
			continue
		}
		if err := t.remove(name); first == nil {
			first = err
		}
	}
	return first
}

// IsTempFolder reports whether a folder with some entries is one of temporary files: everything in it has a name that salint
// gives. Any other folder of such a name is read like all folders.
func IsTempFolder(name string, entries []fs.DirEntry) bool {
	if len(name) != len(tempPrefix)+randomLength || !strings.HasPrefix(name, tempPrefix) {
		return false
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isTempFile(e.Name()) {
			return false
		}
	}
	return true
}

func isTempFile(name string) bool {
	switch name {
	case ignoreName, lockName, recordName, foldersName:
		return true
	}
	n, err := strconv.Atoi(name)
	return err == nil && strconv.Itoa(n) == name
}

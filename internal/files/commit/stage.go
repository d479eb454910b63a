package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/salint/salint/internal/files/regular"
)

// before is called before every operation that changes the disk. Tests let it fail or change files.
func (wr *Writer) before(operation, name string) error {
	if wr.Probe == nil {
		return nil
	}
	return wr.Probe(operation, name)
}

// fill writes a file and waits until it is on the disk.
func (wr *Writer) fill(f *os.File, name string, data []byte) error {
	if err := wr.before("write", name); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := wr.before("sync", name); err != nil {
		return err
	}
	return f.Sync()
}

// stage writes the new content into a temporary file, so that the move cannot fail for lack of space.
func (c *commit) stage(s *staged) (err error) {
	if s.dir, err = c.folderFor(path.Dir(s.target)); err != nil || s.After == nil {
		return err
	}
	return c.stageIn(s, s.dir)
}

// stageIn writes the new content into a file of a temporary folder.
func (c *commit) stageIn(s *staged, dir *tempFolder) error {
	name := dir.nextName()
	f, err := dir.open(name, s.mode.Perm())
	if err != nil {
		return err
	}
	s.dir, s.temp = dir, name
	err = c.writer.fill(f, path.Join(dir.path, name), s.After)
	if err == nil && s.info != nil {
		err = keepAttributes(f, s)
	}
	if err == nil {
		s.made, err = f.Stat()
	}
	err = errors.Join(err, f.Close())
	if err == nil && s.next != nil {
		s.next.info, s.next.mode = s.made, s.made.Mode()&keptMode
	}
	return err
}

// folderFor returns the temporary folder for the files of a folder: that of the root, unless the folder is on another file
// system.
func (c *commit) folderFor(folder string) (*tempFolder, error) {
	info, err := c.writer.tree.Handle.Stat(filepath.FromSlash(folder))
	if err != nil {
		return nil, err
	}
	for _, t := range c.temps {
		own, err := t.dir.Stat(".")
		if err != nil {
			return nil, err
		}
		if sameDevice(own, info) {
			return t, nil
		}
	}
	return c.addFolder(folder)
}

// addFolder creates a further temporary folder. The first one lists it, so that the next run finds it.
func (c *commit) addFolder(folder string) (*tempFolder, error) {
	t, err := c.writer.newTempFolder(folder)
	if err != nil {
		return nil, err
	}
	c.temps = append(c.temps, t)
	var list []byte
	for _, t := range c.temps[1:] {
		list = append(list, t.path+"\n"...)
	}
	main := c.temps[0]
	if err := main.remove(foldersName); err != nil {
		return nil, err
	}
	return t, main.put(foldersName, list)
}

// keepAttributes sets the owner and the mode of the target, which the umask could have reduced, on the staged file.
func keepAttributes(f *os.File, s *staged) error {
	if err := keepOwner(f, s.info); err != nil {
		return err
	}
	return f.Chmod(s.mode)
}

// move moves the staged files into place and removes those to be removed. Each order is on the disk before the next begins.
func (c *commit) move(ctx context.Context) error {
	group := 0
	for i, s := range c.staged {
		err := ctx.Err()
		if err != nil {
			err = context.Cause(ctx)
		} else {
			if s.Order != c.staged[group].Order {
				c.syncFolders(c.staged[group:i])
				group = i
			}
			err = c.moveOne(s)
		}
		if err != nil {
			return c.stopped(i, err)
		}
	}
	c.syncFolders(c.staged[group:])
	return nil
}

// stopped returns the error of a commit that ended before a write.
func (c *commit) stopped(i int, err error) error {
	if i == 0 {
		return fmt.Errorf("%w; %w", err, errNothing)
	}
	var done, notDone []string
	for _, s := range c.staged[i:] {
		if !slices.Contains(notDone, s.Path) {
			notDone = append(notDone, s.Path)
		}
	}
	for _, s := range c.staged[:i] {
		if !slices.Contains(done, s.Path) && !slices.Contains(notDone, s.Path) {
			done = append(done, s.Path)
		}
	}
	return &PartialError{Done: done, NotDone: notDone, Err: err}
}

// moveOne makes one write. The error names the file.
func (c *commit) moveOne(s *staged) error {
	if err := c.writer.check(s); err != nil {
		return err
	}
	err := whileInUse(func() error { return c.place(s) })
	if isOtherDevice(err) {
		err = c.moveFromBeside(s)
	}
	if changed := (*ChangedError)(nil); err == nil || errors.As(err, &changed) {
		return err
	}
	return fmt.Errorf("%s: %w", s.Path, regular.Cause(err))
}

// moveFromBeside makes a write from a temporary folder beside the target, because the folder of the target turned out to be on
// another file system.
func (c *commit) moveFromBeside(s *staged) error {
	dir, err := c.addFolder(path.Dir(s.target))
	if err != nil {
		return err
	}
	s.dir = dir
	if s.After != nil {
		if err := c.stageIn(s, dir); err != nil {
			return err
		}
	}
	return c.place(s)
}

// place puts the staged file into place, or removes the target.
func (c *commit) place(s *staged) error {
	switch {
	case s.After == nil:
		return c.removeTarget(s)
	case s.info == nil:
		return c.createTarget(s)
	}
	return c.replaceTarget(s)
}

// replaceTarget exchanges the target and the staged file, and then compares what was exchanged: nothing that another program
// writes after the check is lost. Where the system cannot exchange files, the staged file replaces the target.
func (c *commit) replaceTarget(s *staged) error {
	wr, from, to := c.writer, path.Join(s.dir.path, s.temp), s.target
	if err := wr.before("exchange", to); err != nil {
		return err
	}
	switch err := exchange(wr.tree.Handle, from, to); {
	case errors.Is(err, errors.ErrUnsupported):
		if err := wr.before("rename", to); err != nil {
			return err
		}
		return wr.tree.Handle.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
	case errors.Is(err, fs.ErrNotExist):
		return &ChangedError{s.Path}
	case err != nil:
		return err
	}
	if err := c.checkTaken(s, s.temp); err != nil {
		return errors.Join(err, exchange(wr.tree.Handle, from, to))
	}
	return s.dir.remove(s.temp)
}

// createTarget links the staged file to its place, which fails if there is a file by now.
func (c *commit) createTarget(s *staged) error {
	wr, from, to := c.writer, filepath.FromSlash(path.Join(s.dir.path, s.temp)), filepath.FromSlash(s.target)
	if err := wr.before("link", s.target); err != nil {
		return err
	}
	switch err := wr.tree.Handle.Link(from, to); {
	case err == nil:
		return s.dir.remove(s.temp)
	case errors.Is(err, fs.ErrExist):
		return &ChangedError{s.Path}
	case isOtherDevice(err):
		return err
	}
	// The file system has no hard links: an empty file reserves the name.
	f, err := wr.tree.Handle.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode.Perm())
	if errors.Is(err, fs.ErrExist) {
		return &ChangedError{s.Path}
	}
	if err != nil {
		return err
	}
	f.Close()
	return wr.tree.Handle.Rename(from, to)
}

// removeTarget moves the target into the temporary folder, compares it, and puts it back if another program changed it.
func (c *commit) removeTarget(s *staged) error {
	wr, name := c.writer, s.dir.nextName()
	to, from := filepath.FromSlash(path.Join(s.dir.path, name)), filepath.FromSlash(s.target)
	if err := wr.before("remove", s.target); err != nil {
		return err
	}
	if err := wr.tree.Handle.Rename(from, to); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &ChangedError{s.Path}
		}
		return err
	}
	s.dir.names = append(s.dir.names, name)
	if err := c.checkTaken(s, name); err != nil {
		return errors.Join(err, wr.putBack(to, from))
	}
	return s.dir.remove(name)
}

// putBack moves a file to its place, unless there is another one by now.
func (wr *Writer) putBack(from, to string) error {
	if err := wr.tree.Handle.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return wr.tree.Handle.Rename(from, to)
}

// checkTaken compares the file that was taken from its place with that from which the change was computed.
func (c *commit) checkTaken(s *staged, name string) error {
	info, err := s.dir.dir.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || !os.SameFile(info, s.info) {
		return &ChangedError{s.Path}
	}
	return c.writer.checkContent(s, s.dir.dir, name)
}

// syncFolders makes renames survive a loss of power. Not every file system supports it, and none needs it for correctness,
// so failures are ignored.
func (c *commit) syncFolders(done []*staged) {
	var dirs []string
	for _, s := range done {
		dirs = append(dirs, path.Dir(s.target))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if f, err := c.writer.tree.Handle.Open(filepath.FromSlash(dir)); err == nil {
			_ = f.Sync()
			f.Close()
		}
	}
}

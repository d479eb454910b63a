package repo

import (
	"crypto/rand"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// stage writes the new content into a file beside the target, so that the rename cannot fail for lack of space and stays on
// one file system. Walks skip its name.
func (r *Repo) stage(s *staged) error {
	if s.After == nil {
		return nil
	}
	dir, name := path.Split(s.target)
	temp := filepath.FromSlash(dir + tempName(name))
	f, err := r.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
	if err != nil {
		return err
	}
	s.temp = temp
	err = r.disk.write(f, s.After)
	if err == nil && s.info != nil {
		err = keepAttributes(f, s)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// maxTempStart is how much of the name of the target a staged file has: most file systems limit names to 255 bytes.
const maxTempStart = 200

// tempName returns the name of a staged file for a target.
func tempName(name string) string {
	if len(name) > maxTempStart {
		name = strings.ToValidUTF8(name[:maxTempStart], "")
	}
	return "." + name + "." + rand.Text() + ".salint-tmp"
}

// keepAttributes sets the mode of the target, which the umask could have reduced, and its owner on the staged file.
func keepAttributes(f *os.File, s *staged) error {
	if err := f.Chmod(s.mode); err != nil {
		return err
	}
	return keepOwner(f, s.info)
}

// discard removes a staged file that was not moved into place.
func (r *Repo) discard(s *staged) error {
	if s.temp == "" {
		return nil
	}
	if err := r.root.Remove(s.temp); err != nil {
		return fmt.Errorf("%s was left behind: %w", filepath.ToSlash(s.temp), regular.Cause(err))
	}
	s.temp = ""
	return nil
}

// move moves the staged files into place and removes those to be removed. Each order is on the disk before the next begins.
func (r *Repo) move(all []*staged) error {
	group := 0
	for i, s := range all {
		if s.Order != all[group].Order {
			r.syncFolders(all[group:i])
			group = i
		}
		if err := r.moveOne(s); err != nil {
			err = fmt.Errorf("%s: %w", s.Path, regular.Cause(err))
			if i == 0 {
				return fmt.Errorf("%w; nothing was written", err)
			}
			return &PartialError{Done: paths(all[:i]), NotDone: paths(all[i:]), Err: err}
		}
	}
	r.syncFolders(all[group:])
	return nil
}

func (r *Repo) moveOne(s *staged) error {
	target := filepath.FromSlash(s.target)
	if s.After == nil {
		return r.disk.remove(target)
	}
	if err := r.disk.rename(s.temp, target); err != nil {
		return err
	}
	s.temp = ""
	return nil
}

// syncFolders makes renames survive a loss of power. Not every file system supports it, and none needs it for correctness,
// so failures are ignored.
func (r *Repo) syncFolders(done []*staged) {
	var dirs []string
	for _, s := range done {
		dirs = append(dirs, path.Dir(s.target))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if f, err := r.root.Open(filepath.FromSlash(dir)); err == nil {
			_ = f.Sync()
			f.Close()
		}
	}
}

func paths(all []*staged) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = s.Path
	}
	return out
}

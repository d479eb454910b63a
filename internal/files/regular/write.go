package regular

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// newFileMode is before the user's umask, as for any program that creates files.
const newFileMode = 0o666

// WriteFile writes a file that lies anywhere, as a whole or not at all. An existing file keeps its mode. The error is ErrKind if there is
// something other than a regular file.
func WriteFile(file string, data []byte) (err error) {
	mode := fs.FileMode(newFileMode)
	old, err := os.Lstat(file)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return ErrKind
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Cause(err)
	}
	temp := filepath.Join(filepath.Dir(file), "."+rand.Text()+".salint-tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return Cause(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(Cause(err), os.Remove(temp))
		}
	}()
	_, err = f.Write(data)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, file)
}

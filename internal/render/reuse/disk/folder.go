package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// subfolder is the folder of the entries in the one that the user names, so that nothing else in it is read or removed. It has the
// number of the format.
const subfolder = "salint-builds-1"

// openFolder opens the folder of the entries, and makes it if it does not exist.
func openFolder(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := checkFolder(os.Lstat(dir)); err != nil {
		return nil, fmt.Errorf("%s %w", dir, err)
	}
	outer, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer outer.Close()
	if err := checkFolder(outer.Stat(".")); err != nil { // it can have been replaced
		return nil, fmt.Errorf("%s %w", dir, err)
	}
	if err := outer.Mkdir(subfolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := checkFolder(outer.Lstat(subfolder)); err != nil {
		return nil, fmt.Errorf("%s %w", filepath.Join(dir, subfolder), err)
	}
	root, err := outer.OpenRoot(subfolder)
	if err != nil {
		return nil, err
	}
	return root, ignoreByGit(root)
}

// checkFolder returns why a folder cannot hold entries, in the rest of a sentence.
func checkFolder(info fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("is a symbolic link: name the folder itself")
	case !info.IsDir():
		return errors.New("is not a folder")
	case !isOwn(info):
		return errors.New("belongs to another user, who could forge results: use your own folder")
	case othersWrite(info):
		return errors.New("can be written by other users, who could forge results: remove that permission (chmod go-w)")
	}
	return nil
}

// ignoreByGit makes git, and so salint, ignore the entries if the folder is in a repository.
func ignoreByGit(root *os.Root) error {
	file, err := root.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString("*\n")
	return errors.Join(err, file.Close())
}

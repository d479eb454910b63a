package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
)

// target is a path that the user named: as given, and resolved.
type target struct {
	given, path string
	isDir       bool
	// above is the nearest folder that exists, if the working tree does not have the path.
	above string
}

// folder returns the target itself if it is a folder, otherwise the folder that contains it.
func (t target) folder() string {
	switch {
	case t.above != "":
		return t.above
	case t.isDir:
		return t.path
	}
	return filepath.Dir(t.path)
}

func (t target) missing() error { return fmt.Errorf("%s: no such file or folder", t.given) }

func realPath(p string) (string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func findTarget(workDir, given string) (target, error) {
	p := given
	if !filepath.IsAbs(p) {
		p = filepath.Join(workDir, p)
	}
	real, err := filepath.EvalSymlinks(p)
	if errors.Is(err, fs.ErrNotExist) {
		return leftOutTarget(given, filepath.Clean(p))
	}
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", given, regular.Cause(err))
	}
	info, err := os.Stat(real)
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", given, regular.Cause(err))
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return target{}, fmt.Errorf("%s is neither a file nor a folder; to lint standard input, give - as the path", given)
	}
	return target{given: given, path: real, isDir: info.IsDir()}, nil
}

// leftOutTarget returns the target for a path that does not exist, and that the index of git may have.
func leftOutTarget(given, p string) (target, error) {
	t := target{given: given}
	rest := ""
	for above := p; filepath.Dir(above) != above; above = filepath.Dir(above) {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			t.above, t.path = real, filepath.Join(real, rest)
			break
		}
		if info, err := os.Lstat(above); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return target{}, t.missing() // a link that leads nowhere
		}
		rest = filepath.Join(filepath.Base(above), rest)
	}
	if info, err := os.Stat(t.above); err != nil || !info.IsDir() {
		return target{}, t.missing()
	}
	return t, nil
}

// commonRepository is the git root of all targets, or "" if none is in a work tree.
func commonRepository(targets []target) (string, error) {
	known := map[string]string{}
	root := git.WorkTreeOf(targets[0].folder(), known)
	for _, t := range targets[1:] {
		other := git.WorkTreeOf(t.folder(), known)
		if other == root {
			continue
		}
		if root == "" {
			return "", outsideError(targets[0], t, other)
		}
		return "", outsideError(t, targets[0], root)
	}
	return root, nil
}

func outsideError(outside, inside target, root string) error {
	where := outside.given
	if filepath.IsAbs(outside.given) && outside.given != outside.path {
		where += " (" + outside.path + ")"
	}
	return fmt.Errorf("%s is outside the repository %s, which contains %s: lint them in two runs",
		where, root, inside.given)
}

// commonFolder is the deepest folder that contains all targets.
func commonFolder(targets []target) string {
	common := targets[0].folder()
	for _, t := range targets[1:] {
		for !contains(common, t.folder()) {
			common = filepath.Dir(common)
		}
	}
	return common
}

func contains(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err != nil || filepath.IsLocal(rel)
}

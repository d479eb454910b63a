package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// target is a path that the user named: as given, and resolved.
type target struct {
	given, path string
	isDir       bool
}

// folder returns the target itself if it is a folder, otherwise the folder that contains it.
func (t target) folder() string {
	if t.isDir {
		return t.path
	}
	return filepath.Dir(t.path)
}

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
		return target{}, fmt.Errorf("%s: no such file or folder", given)
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

// commonRepository is the git root of all targets, or "" if none is in a work tree.
func commonRepository(targets []target) (string, error) {
	known := map[string]string{}
	root := gitRoot(targets[0].folder(), known)
	for _, t := range targets[1:] {
		other := gitRoot(t.folder(), known)
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

// gitRoot finds the git work tree that contains a folder. Results are cached: a commit hook can name thousands of files.
func gitRoot(dir string, known map[string]string) string {
	if root, ok := known[dir]; ok {
		return root
	}
	root := ""
	if _, ok := gitDir(dir); ok {
		root = dir
	} else if parent := filepath.Dir(dir); parent != dir {
		root = gitRoot(parent, known)
	}
	known[dir] = root
	return root
}

// gitDir returns the folder in which git keeps the data of the work tree dir. In linked work trees and submodules .git is a
// file that names it (gitrepository-layout(5)).
func gitDir(dir string) (string, bool) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		_, err := os.Stat(filepath.Join(dotGit, "HEAD"))
		return dotGit, err == nil
	}
	link, ok := readLink(dotGit, "gitdir: ")
	if !ok {
		return "", false
	}
	return absoluteFrom(dir, link), true
}

// isBare reports whether a folder has the data of git itself, without a work tree.
func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// commonGitDir is the folder that linked work trees share with the main one.
func commonGitDir(dir string) string {
	if common, ok := readLink(filepath.Join(dir, "commondir"), ""); ok {
		return absoluteFrom(dir, common)
	}
	return dir
}

// maxLinkSize limits how much of git's one-line files is read.
const maxLinkSize = 1 << 16

// readLink reads one of git's files that contain only a path.
func readLink(file, prefix string) (string, bool) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLinkSize {
		return "", false
	}
	data, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(data, []byte(prefix)) {
		return "", false
	}
	return strings.TrimRight(string(data[len(prefix):]), "\r\n"), true
}

func absoluteFrom(dir, p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
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

// inGitFolder reports whether a relative path leads into a folder .git.
func inGitFolder(rel string) bool {
	return strings.Contains("/"+rel+"/", "/.git/")
}

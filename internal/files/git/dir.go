package git

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// WorkTreeOf finds the git work tree that contains a folder. Results are cached: a commit hook can name thousands of files.
func WorkTreeOf(dir string, known map[string]string) string {
	if root, ok := known[dir]; ok {
		return root
	}
	root := ""
	if _, ok := gitDir(dir); ok {
		root = dir
	} else if parent := filepath.Dir(dir); parent != dir {
		root = WorkTreeOf(parent, known)
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

// bareRepositoryOf returns the nearest folder from dir upward that has the data of git itself, without a work tree; "" if none has.
func bareRepositoryOf(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if isBare(dir) {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// isBare reports whether a folder has the data of git itself, by what git looks for: gitrepository-layout(5).
func isBare(dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return headOfGit().MatchString(firstLine(filepath.Join(dir, "HEAD")))
}

// headOfGit matches the file HEAD of git: a reference or a commit.
var headOfGit = lazyregexp.New(`^(?:ref:\s*refs/|[0-9a-f]{40})`)

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

func firstLine(file string) string {
	line, _, _ := strings.Cut(string(readSmall(file, maxLinkSize)), "\n")
	return strings.TrimSpace(line)
}

// readSmall returns the content of a regular file of a limited size, otherwise nil.
func readSmall(file string, limit int64) []byte {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return data
}

// gitDir returns the folder in which git keeps the data of the work tree.
func (r *Repository) gitDir() (string, bool) {
	if !r.isWorkTree {
		return "", false
	}
	return gitDir(r.root)
}

// Exclude returns the content of .git/info/exclude, the ignore rules that are in none of the folders.
func (r *Repository) Exclude() (rules string, ok bool) {
	dir, ok := r.gitDir()
	if !ok {
		return "", false
	}
	return readLink(filepath.Join(commonGitDir(dir), "info", "exclude"), "")
}

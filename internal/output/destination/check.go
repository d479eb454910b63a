package destination

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/settings"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/regular"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/worktree"
	"github.com/salint/salint/internal/kube/objects"
)

// Check returns an error before the run if a file, which is absolute, cannot be written because its folder does
// not exist, or must not be written because it is a symlink. A symlink in a repository can come from an untrusted pull
// request and lead anywhere.
func Check(workDir, file string) error {
	dir := filepath.Dir(file)
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("folder %s does not exist: create it first", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	switch info, err := os.Lstat(file); {
	case err != nil: // it is created
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("the file is a symlink, which is not followed: name its destination, or remove the symlink")
	case !info.Mode().IsRegular():
		return errors.New("the file is not a regular file: name another one")
	}
	if isGitFile(file) {
		return errors.New("the file is in .git: name another one")
	}
	return staysInside(workDir, dir)
}

// isGitFile reports whether a file is in a folder .git, through whatever symlinks its folder is named.
func isGitFile(file string) bool {
	if real, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(real, filepath.Base(file))
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(file), "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// staysInside returns an error if a symlink leads from a folder below the working directory to a place outside it. A path
// outside the working directory is accepted, because the user named it.
func staysInside(workDir, dir string) error {
	rel, err := filepath.Rel(workDir, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	base, err := filepath.EvalSymlinks(workDir)
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if inside, err := filepath.Rel(base, real); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("a symlink leads to %s, outside the working directory: name that folder instead", real)
	}
	return nil
}

// CheckNoInput returns an error if a file is an input of a run: one of those named, the configuration, a policy, or a manifest.
func CheckNoInput(file string, named []string) error {
	isInput := func(name string) bool { return sameFile(name, file) }
	switch {
	case slices.ContainsFunc(named, isInput), filepath.Base(file) == settings.FileName:
		return errors.New("this run reads the file as its configuration or baseline: name another one")
	case strings.EqualFold(filepath.Ext(file), ".rego"):
		return errors.New("the file is a policy: name another one")
	}
	return CheckNoManifest(file)
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// CheckNoManifest returns an error if there is a file that holds objects of Kubernetes, or that is a kustomization. A report is none.
func CheckNoManifest(file string) error {
	err := errors.New("the file is a manifest: name another one")
	if objects.IsKustomizationFile(filepath.ToSlash(file)) {
		return err
	}
	data, unread := regular.ReadFile(file, worktree.DefaultMaxFileSize)
	if unread != nil || !repo.IsManifest(file) {
		return nil
	}
	holds := func(doc *manifest.Document) bool { return doc.Parse() == nil && len(objects.Objects(doc)) > 0 }
	if slices.ContainsFunc(manifest.Scan(file, data).Docs, holds) {
		return err
	}
	return nil
}

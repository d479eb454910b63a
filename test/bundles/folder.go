package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blang/semver/v4"
)

// bundle is a bundle of the folder.
type bundle struct {
	path, name string // name is the path below the folder
	// rank is 0 for the newest bundle of those in the same folder, 1 for the one before it, and so on.
	rank int
	// answers are what upstream and salint say, by the index of the release.
	answers []*answers
}

// find returns the bundles below a folder: the folders that have manifests/ and metadata/.
func find(folder string) ([]*bundle, error) {
	var all []*bundle
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if e.Name() == ".git" {
			return fs.SkipDir
		}
		if !isFolder(filepath.Join(path, "manifests")) || !isFolder(filepath.Join(path, "metadata")) {
			return nil
		}
		name, err := filepath.Rel(folder, path)
		all = append(all, &bundle{path: path, name: filepath.ToSlash(name)})
		return cmp.Or(err, fs.SkipDir)
	})
	slices.SortFunc(all, func(a, b *bundle) int { return byVersion(b.path, a.path) })
	ranks := map[string]int{}
	for _, b := range all {
		dir := filepath.Dir(b.path)
		b.rank = ranks[dir]
		ranks[dir]++
	}
	slices.SortFunc(all, func(a, b *bundle) int { return strings.Compare(a.name, b.name) })
	return all, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// byVersion compares the versions that are the names of folders. What is no version is older than any.
func byVersion(a, b string) int {
	x, errX := semver.ParseTolerant(filepath.Base(a))
	y, errY := semver.ParseTolerant(filepath.Base(b))
	switch {
	case errX != nil && errY != nil:
		return strings.Compare(a, b)
	case errX != nil:
		return -1
	case errY != nil:
		return 1
	}
	return cmp.Or(x.Compare(y), strings.Compare(a, b))
}

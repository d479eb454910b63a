package pathset

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
)

// Set are files and all folders above them, with their paths in the repository, which is the folder ".". A nil set is empty.
type Set struct {
	files   []string // sorted
	folders map[string]bool
}

// Of returns the set of files. It keeps the list, so that must not change, unless it is not sorted: then it keeps a copy.
func Of(files []string) *Set {
	if !slices.IsSorted(files) {
		files = slices.Sorted(slices.Values(files))
	}
	s := &Set{files, map[string]bool{".": true}}
	last := ""
	for _, file := range files {
		if end := strings.LastIndexByte(file, '/'); end < 0 || file[:end] == last {
			continue
		}
		last = path.Dir(file)
		for folder := last; !s.folders[folder] && folder != "/"; folder = path.Dir(folder) {
			s.folders[folder] = true
		}
	}
	return s
}

// HasFile reports whether a path is one of the files.
func (s *Set) HasFile(p string) bool {
	if s == nil {
		return false
	}
	_, found := slices.BinarySearch(s.files, p)
	return found
}

// HasFolder reports whether a path is a folder above one of the files, or the repository itself.
func (s *Set) HasFolder(p string) bool { return s != nil && s.folders[p] }

// Has reports whether a path is a file or folder.
func (s *Set) Has(p string) bool { return s.HasFolder(p) || s.HasFile(p) }

// Files returns the files, sorted. The list must not be changed.
func (s *Set) Files() []string {
	if s == nil {
		return nil
	}
	return s.files
}

// Folders returns the folders, in no order.
func (s *Set) Folders() iter.Seq[string] {
	if s == nil {
		return func(func(string) bool) {}
	}
	return maps.Keys(s.folders)
}

// FoldersWith returns the folders in which a file has a name, in the order of the files.
func (s *Set) FoldersWith(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, file := range s.Files() {
			if strings.HasSuffix(file, name) && path.Base(file) == name && !yield(path.Dir(file)) {
				return
			}
		}
	}
}

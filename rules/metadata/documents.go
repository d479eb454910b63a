package metadata

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/regular"
)

// maxDocuments limits the size of all files of data of a folder.
const maxDocuments = 8 << 20

// Document is a file of data beside policies.
type Document struct {
	// Name is the file name in errors.
	Name string
	// Path is where its content is in Rego's data document: the folders between the root of the policies and the file.
	Path   []string
	Source []byte
}

// documentNames are the names of files of data, as in bundles of OPA.
var documentNames = []string{"data.json", "data.yaml", "data.yml"}

// ReadDocuments returns the files of data below a root: those in a folder with policies, and below one. In a bundle, and in a folder without
// any policy, all of them count. The prefix is added to the names in errors.
func ReadDocuments(root fs.FS, prefix string, bundle bool) ([]Document, error) {
	var names []string
	withPolicies := map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && isToolsDir(name):
			return fs.SkipDir
		case err != nil || d.IsDir():
			return err
		case path.Ext(name) == ".rego":
			withPolicies[path.Dir(name)] = true
		case slices.Contains(documentNames, path.Base(name)):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []Document
	size := 0
	for _, name := range names {
		if !bundle && len(withPolicies) > 0 && !besidePolicies(path.Dir(name), withPolicies) {
			continue
		}
		d, err := readDocument(root, name, prefix)
		if err != nil {
			return nil, err
		}
		if size += len(d.Source); size > maxDocuments {
			return nil, fmt.Errorf("policies: the files of data in %s have more than %d MiB", prefix, maxDocuments>>20)
		}
		all = append(all, d)
	}
	return all, nil
}

// besidePolicies reports whether a folder or one that contains it has policies.
func besidePolicies(dir string, withPolicies map[string]bool) bool {
	for ; ; dir = path.Dir(dir) {
		if withPolicies[dir] {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

func readDocument(root fs.FS, name, prefix string) (Document, error) {
	d := Document{Name: path.Join(prefix, name)}
	info, err := fs.Stat(root, name)
	if err == nil && info.Size() > maxDocuments {
		return d, fmt.Errorf("%s: %d bytes; files of data can have at most %d MiB", d.Name, info.Size(), maxDocuments>>20)
	}
	if err == nil {
		d.Source, err = fs.ReadFile(root, name)
	}
	if err != nil {
		return d, fmt.Errorf("policies: %s: %w", d.Name, regular.Cause(err))
	}
	d.Source = withoutMark(d.Source)
	if dir := path.Dir(name); dir != "." {
		d.Path = strings.Split(dir, "/")
	}
	return d, nil
}

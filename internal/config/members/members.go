// Package members reads the file of a workspace: which repositories it has, and which clusters they feed.
package members

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/files/git"
	"github.com/salint/salint/internal/files/regular"
)

// File is the file of a workspace.
type File struct {
	// Path is its absolute path.
	Path string
	// Repositories are sorted by name.
	Repositories []Repository
	// Clusters are the roots of what each cluster gets, by its name.
	Clusters map[string][]Root
}

// Repository is a checkout of a repository.
type Repository struct {
	Name string
	// Dir is its folder, as an absolute path.
	Dir string
	// Addresses are further addresses, beside those of its git remotes.
	Addresses []string
}

// Root is a folder of a repository, from which a cluster gets objects: "." is the whole repository.
type Root struct{ Repository, Dir string }

// maxFile is the size of the largest file of a workspace, and maxRepositories how many repositories it can have.
const (
	maxFile         = 1 << 20
	maxRepositories = 1000
)

// entry is a repository in the file: a folder, or a folder with addresses.
type entry struct {
	Path      string   `json:"path"`
	Addresses []string `json:"addresses"`
}

// UnmarshalJSON reads an entry.
func (e *entry) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &e.Path) == nil {
		return nil
	}
	type plain entry
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	return decoder.Decode((*plain)(e))
}

// Read reads a file, given by its absolute path. Shown is the file in errors.
func Read(file, shown string) (*File, error) {
	data, err := regular.ReadFile(file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	var written struct {
		Repositories map[string]entry    `json:"repositories"`
		Clusters     map[string][]string `json:"clusters"`
	}
	if err := yaml.UnmarshalStrict(data, &written); err != nil {
		return nil, fmt.Errorf("%s: %w", shown, plain(err))
	}
	f := &File{Path: file, Clusters: map[string][]Root{}}
	for _, name := range slices.Sorted(maps.Keys(written.Repositories)) {
		r, err := f.repository(name, written.Repositories[name])
		if err != nil {
			return nil, fmt.Errorf("%s: repositories.%s: %w", shown, name, err)
		}
		f.Repositories = append(f.Repositories, r)
	}
	if n := len(f.Repositories); n == 0 || n > maxRepositories {
		return nil, fmt.Errorf("%s: expected repositories: with 1 to %d names and folders", shown, maxRepositories)
	}
	for _, name := range slices.Sorted(maps.Keys(written.Clusters)) {
		for _, text := range written.Clusters[name] {
			root, err := f.root(text)
			if name == "" {
				err = errors.New("a cluster needs a name")
			}
			if err != nil {
				return nil, fmt.Errorf("%s: clusters.%s: %w", shown, name, err)
			}
			f.Clusters[name] = append(f.Clusters[name], root)
		}
	}
	return f, f.check(shown)
}

// plain returns an error of the decoder without the steps that led to it.
func plain(err error) error {
	text := err.Error()
	for _, prefix := range []string{"error unmarshaling JSON: ", "while decoding JSON: ", "error converting YAML to JSON: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return errors.New(strings.TrimPrefix(text, "json: "))
}

// validName matches the names of repositories, which begin the roots of clusters.
var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func (f *File) repository(name string, e entry) (Repository, error) {
	switch {
	case !validName.MatchString(name):
		return Repository{}, errors.New("a name has letters, digits, dots, dashes, and underscores")
	case e.Path == "":
		return Repository{}, errors.New("path: is required: the folder of the repository, relative to this file")
	}
	r := Repository{Name: name, Dir: filepath.FromSlash(e.Path), Addresses: e.Addresses}
	if !filepath.IsAbs(r.Dir) {
		r.Dir = filepath.Join(filepath.Dir(f.Path), r.Dir)
	}
	for _, address := range e.Addresses {
		if git.NameOf(address) == "" {
			return r, fmt.Errorf("addresses: %q is not the address of a repository", address)
		}
	}
	return r, f.checkPlace(r.Dir)
}

// checkPlace returns an error about a folder that a file of a repository must not name. A pull request can change such a file, so it names only folders
// of its repository, and other repositories beside it.
func (f *File) checkPlace(dir string) error {
	known := map[string]string{}
	own := git.WorkTreeOf(real(filepath.Dir(f.Path)), known)
	if own == "" {
		return nil
	}
	dir = real(dir)
	if inside(own, dir) {
		return nil
	}
	if !inside(filepath.Dir(own), dir) || git.WorkTreeOf(dir, known) != dir {
		return fmt.Errorf("%s is not a repository beside the one of this file: a file of a repository names folders of it, and other repositories in the same "+
			"folder; keep a file for others outside of all repositories", dir)
	}
	return nil
}

// real returns a path without symbolic links, as far as it exists.
func real(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	return filepath.Clean(name)
}

func inside(root, name string) bool {
	rel, err := filepath.Rel(root, name)
	return err == nil && filepath.IsLocal(rel)
}

// root reads an entry of a cluster: NAME, or NAME/FOLDER.
func (f *File) root(text string) (Root, error) {
	name, dir, _ := strings.Cut(text, "/")
	names := make([]string, len(f.Repositories))
	for i, r := range f.Repositories {
		names[i] = r.Name
	}
	dir = path.Clean("./" + dir)
	switch {
	case !slices.Contains(names, name):
		return Root{}, nearest.Unknown("repository", name, names)
	case dir == "..", strings.HasPrefix(dir, "../"):
		return Root{}, fmt.Errorf("%s leads out of the repository", text)
	}
	at := filepath.Join(f.Repositories[slices.Index(names, name)].Dir, filepath.FromSlash(dir))
	if _, err := os.Stat(at); err != nil {
		return Root{}, fmt.Errorf("the repository %s has no %s", name, dir)
	}
	return Root{name, dir}, nil
}

// check returns an error about an address of two repositories.
func (f *File) check(shown string) error {
	seen := map[string]string{}
	for _, r := range f.Repositories {
		for _, address := range r.Addresses {
			key := git.Key(git.NameOf(address))
			if other, known := seen[key]; known && other != r.Name {
				return fmt.Errorf("%s: %s and %s have the address %s: name one checkout of each repository", shown, other, r.Name, address)
			}
			seen[key] = r.Name
		}
	}
	return nil
}

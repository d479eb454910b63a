package fleet

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/internal/config/members"
	"github.com/salint/salint/internal/files/git"
)

// Workspace is which clusters the repositories of reports feed, from a workspace file.
type Workspace struct {
	// roots are the folders of clusters, by the key of the repository.
	roots map[string][]clusterRoot
}

type clusterRoot struct{ dir, cluster string }

// ExpectMembers expects the reports of the repositories of a workspace file, and takes from it which clusters they feed. The checkouts are only asked for their
// addresses.
func ExpectMembers(o *Options, file string) error {
	if file == "" {
		return nil
	}
	if o.Expected != nil {
		return fmt.Errorf("--expect and --workspace cannot be used together: both name the repositories")
	}
	read, err := members.Read(absolute(o.Dir, file), file)
	if err != nil {
		return fmt.Errorf("--workspace %w", err)
	}
	w := &Workspace{roots: map[string][]clusterRoot{}}
	names := map[string]string{}
	for _, r := range read.Repositories {
		name := git.New(r.Dir, true, nil).Origin()
		if name == "" && len(r.Addresses) > 0 {
			name = git.NameOf(r.Addresses[0])
		}
		if name == "" {
			name = r.Name
		}
		names[r.Name] = name
		o.Expected = append(o.Expected, name)
	}
	for cluster, roots := range read.Clusters {
		for _, root := range roots {
			key := git.Key(names[root.Repository])
			w.roots[key] = append(w.roots[key], clusterRoot{root.Dir, cluster})
		}
	}
	o.Workspace = w
	return nil
}

// clustersOf returns the clusters that get a file of a repository, by the nearest folder that a cluster names; nil if they are not known.
func (w *Workspace) clustersOf(repository, file string) []string {
	if w == nil {
		return nil
	}
	var found []string
	nearest := -1
	for _, root := range w.roots[git.Key(repository)] {
		if rel, err := filepath.Rel(root.dir, file); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		depth := strings.Count(root.dir+"/", "/")
		if root.dir == "." {
			depth = 0
		}
		if depth > nearest {
			nearest, found = depth, nil
		}
		if depth == nearest {
			found = append(found, root.cluster)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// meeting returns the clusters that get two files, and whether one certainly or possibly does.
func (w *Workspace) meeting(repository, file, other, otherFile string) (clusters []string, possible bool) {
	a, b := w.clustersOf(repository, file), w.clustersOf(other, otherFile)
	if a == nil || b == nil {
		return nil, true
	}
	clusters = slices.DeleteFunc(a, func(name string) bool { return !slices.Contains(b, name) })
	return clusters, len(clusters) > 0
}

// merged returns the clusters of two lists.
func merged(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

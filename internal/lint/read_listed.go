package lint

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// readListed reads files that kustomizations list and a walk takes for something else, for they are not named as manifests
// are: kustomize does not look at the name.
func (r *reader) readListed(ctx context.Context, tree Tree, exclude []string) error {
	excluded, err := patterns(exclude)
	if err != nil {
		return err
	}
	var kustomizations []*manifest.File
	for name, f := range r.library.files {
		if objects.IsKustomizationFile(name) {
			kustomizations = append(kustomizations, f)
		}
	}
	known := newTreeOf(r.library.names)
	var mu sync.Mutex
	var listed []string
	err = parallel.Do(ctx, len(kustomizations), func(i int) {
		for _, target := range unnamedIn(kustomizations[i]) {
			mu.Lock()
			if !known[target] && !excluded(target) {
				known[target] = true
				listed = append(listed, target)
			}
			mu.Unlock()
		}
	})
	slices.Sort(listed)
	for _, name := range listed {
		if data, err := tree.Read(name); err == nil { // else it is a folder, or said to be missing where it is listed
			r.visit(repo.File{Path: name, Size: int64(len(data)), Data: data})
		}
	}
	return err
}

// unnamedIn lists what a kustomization lists by other names than those of manifests, inside the repository.
func unnamedIn(f *manifest.File) []string {
	var names []string
	for _, doc := range f.Docs {
		if doc.Parse() != nil {
			continue
		}
		k, err := objects.ReadKustomization(doc)
		if err != nil {
			continue
		}
		for _, e := range k.Resources {
			if !repo.IsManifest(e.Target) && !path.IsAbs(e.Target) && e.Target != ".." && !strings.HasPrefix(e.Target, "../") {
				names = append(names, e.Target)
			}
		}
	}
	return names
}

// newTreeOf knows all files and their folders.
func newTreeOf(names []string) map[string]bool {
	known := map[string]bool{".": true}
	for _, name := range names {
		for at := name; !known[at]; at = path.Dir(at) {
			known[at] = true
		}
	}
	return known
}

// patterns tells whether a path, or a folder that it lies in, is excluded.
func patterns(exclude []string) (func(string) bool, error) {
	var globs []glob.Path
	for _, pattern := range exclude {
		g, err := glob.ParsePath(pattern)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return func(p string) bool {
		for at := p; at != "."; at = path.Dir(at) {
			if slices.ContainsFunc(globs, func(g glob.Path) bool { return g.Match(at) }) {
				return true
			}
		}
		return false
	}, nil
}

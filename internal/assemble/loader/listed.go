package loader

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/files/glob"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/pathset"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// addListed reads the files that kustomizations list and that the walk does not visit because their names are not those of
// manifests: kustomize reads them whatever their names are.
func (c Collector) addListed(ctx context.Context, all *Collection) error {
	var kustomizations []*manifest.File
	for name, f := range all.Files {
		if objects.IsKustomizationFile(name) {
			kustomizations = append(kustomizations, f)
		}
	}
	slices.Sort(all.Names) // of which a set keeps no copy then
	known := pathset.Of(all.Names)
	added := map[string]bool{}
	var mu sync.Mutex
	var listed []string
	err := parallel.Do(ctx, len(kustomizations), func(i int) {
		for _, target := range otherNamesIn(kustomizations[i]) {
			mu.Lock()
			if !known.Has(target) && !added[target] && !all.excluded(target) {
				added[target] = true
				listed = append(listed, target)
			}
			mu.Unlock()
		}
	})
	slices.Sort(listed)
	for _, name := range listed {
		if data, err := c.Tree.Read(name); err == nil { // otherwise it is a folder, or the entry is reported as missing
			c.add(all, repo.File{Path: name, Size: int64(len(data)), Data: data})
		}
	}
	return err
}

// otherNamesIn returns the files inside the repository that a kustomization lists and that are not named like manifests.
func otherNamesIn(f *manifest.File) []string {
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

// excludedBy returns a function that reports whether patterns match a path or a folder above it.
func excludedBy(patterns []string) (func(string) bool, error) {
	var globs []glob.Path
	for _, pattern := range patterns {
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

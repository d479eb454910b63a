package repo

import (
	"context"
	"slices"
)

// TrackedIgnored lists the manifests that git tracks although they are ignored: they belong to the repository, but a walk
// does not find them. Without git, or if it fails, the list is empty.
func (r *Repo) TrackedIgnored(ctx context.Context) []string {
	files := map[string]bool{}
	if err := r.collect(ctx, files, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"); err != nil {
		return nil
	}
	var manifests []string
	for file := range files {
		if IsManifest(file) {
			manifests = append(manifests, file)
		}
	}
	slices.Sort(manifests)
	return manifests
}

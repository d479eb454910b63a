package uses

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
)

// patchLists are the fields with patches, of a kustomization, a Kustomization of Flux, and an Application of Argo CD.
var patchLists = map[string]bool{"patches": true, "patchesJson6902": true, "patchesStrategicMerge": true}

// selectsPatched reports whether a scalar contains a name only in order to select the object that a patch changes: it is the name
// of a target, or a strategic merge patch in which only metadata.name is the name.
func selectsPatched(doc *manifest.Document, n *manifest.Node, path manifest.Path, word string) bool {
	if !n.IsScalar() || !inPatchList(path) {
		return false
	}
	last := len(path) - 1
	switch {
	case path[last] == "name" && path[last-1] == "target":
		return true
	case path[last] != "patch" && path[last-1] != "patchesStrategicMerge":
		return false
	}
	patches := manifest.Scan(doc.File.Path, []byte(n.String())).Docs
	for _, patch := range patches {
		if patch.Parse() != nil || !patch.Root.IsMapping() || !onlyNamedBy(patch, word) {
			return false
		}
	}
	return len(patches) > 0
}

// inPatchList reports whether a path leads into an item of a list of patches.
func inPatchList(path manifest.Path) bool {
	for i := range max(len(path)-1, 0) {
		if patchLists[path[i]] {
			return true
		}
	}
	return false
}

// onlyNamedBy reports whether a document contains a word only in its metadata.name.
func onlyNamedBy(doc *manifest.Document, word string) bool {
	name := doc.Root.Lookup(manifest.Path{"metadata", "name"})
	return name.String() == word && strings.Count(string(doc.Bytes()), word) == 1
}

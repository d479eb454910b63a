package render

import (
	"path"
	"slices"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/reuse"
)

// siblingFields are the fields of kustomizations that make nothing of the path of a folder. Others read or generate further objects.
var siblingFields = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "components", "namePrefix", "nameSuffix", "namespace", "labels", "commonLabels",
	"commonAnnotations", "images", "replicas", "patches", "patchesStrategicMerge", "patchesJson6902", buildMetadata,
}

func isUsual(fields map[string]any) bool {
	for name := range fields {
		if !slices.Contains(siblingFields, name) {
			return false
		}
	}
	return true
}

// siblings describes the built folder for [reuse.Cache.Find].
func (b *kustomizeBuild) siblings(dir string, again func()) *reuse.Siblings {
	s := &reuse.Siblings{Folder: dir, Again: again, Allowed: func() bool { return !b.unusual }}
	for _, name := range objects.KustomizationNames() {
		if data, err := b.files.ReadFile(path.Join(b.dir, name)); err == nil {
			s.Content = data
			break
		}
	}
	return s
}

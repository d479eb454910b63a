package overlay

import (
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// markKey is the annotation that records the source of a built object. After a build, kustomize's own record keeps only the
// file. Kustomize keeps annotations with this prefix when a patch replaces the others.
const markKey = "internal.config.kubernetes.io/salint-source"

// marked returns a file in which each object is annotated with its reference. Objects that cannot be edited stay unchanged.
func marked(file *manifest.File, objects []*objects.Object) []byte {
	var edits []manifest.Edit
	for _, o := range objects {
		if edit, ok := markOf(o); ok {
			edits = append(edits, edit)
		}
	}
	data, err := manifest.Apply(file.Data, edits)
	if err != nil {
		return file.Data
	}
	return data
}

func markOf(o *objects.Object) (edit manifest.Edit, ok bool) {
	metadata := o.At(manifest.Path{"metadata"})
	annotations := metadata.Join("annotations")
	var err error
	switch n := o.Node.Get("metadata").Get("annotations"); {
	case n == nil:
		edit, err = o.Doc.AddField(metadata, "", "annotations", map[string]any{markKey: o.Ref()})
	case n.IsMapping():
		edit, err = o.Doc.AddField(annotations, "", markKey, o.Ref())
	default:
		return edit, false
	}
	return edit, err == nil
}

// removeMarks removes the marks from built objects, and records them by the paths of the objects.
func removeMarks(built any, path manifest.Path, found map[string]string) {
	switch built := built.(type) {
	case map[string]any:
		if metadata, ok := built["metadata"].(map[string]any); ok {
			takeMark(metadata, path, found)
		}
		for _, key := range []string{"items", "objects"} {
			removeMarks(built[key], path.Join(key), found)
		}
	case []any:
		for i, item := range built {
			removeMarks(item, path.Join(itoa(i)), found)
		}
	}
}

func takeMark(metadata map[string]any, path manifest.Path, found map[string]string) {
	annotations, _ := metadata["annotations"].(map[string]any)
	mark, ok := annotations[markKey].(string)
	if !ok {
		return
	}
	found[path.String()] = mark
	delete(annotations, markKey)
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
}

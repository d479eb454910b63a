package objects

import "maps"

// Labeled returns the object with further labels, which its application sets on all objects. In its file, they are not.
func (o *Object) Labeled(labels map[string]string) *Object {
	metadata, _ := o.JSON()["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if _, isHook := annotations["helm.sh/hook"]; len(labels) == 0 || isHook { // helm-controller sets labels after Helm rendered the chart, without hooks
		return o
	}
	known, _ := metadata["labels"].(map[string]any)
	all := make(map[string]any, len(known)+len(labels))
	maps.Copy(all, known)
	for key, value := range labels {
		all[key] = value
	}
	if maps.Equal(all, known) {
		return o
	}
	metadata = withField(metadata, "labels", all)
	labeled := &Object{
		APIVersion: o.APIVersion, Group: o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Doc: o.Doc, Path: o.Path, Node: o.Node,
		File: o.File, Applied: o.Applied, Embedding: o.Embedding, unlabeled: o,
	}
	labeled.decodeOnce.Do(func() { labeled.decoded = withField(o.JSON(), "metadata", metadata) })
	return labeled
}

// withField returns a copy of an object with another value of a field.
func withField(object map[string]any, key string, value any) map[string]any {
	all := make(map[string]any, len(object)+1)
	maps.Copy(all, object)
	all[key] = value
	return all
}

package refusal

import (
	"bytes"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// SameObjects reports whether kustomize reads objects of the same names from a shorter text of a file as from its content, so that it can
// build with the shorter text instead. It is false for a file because of which a build fails: one that cannot be read, or whose objects
// cannot be written.
func (w *Walk) SameObjects(file string, data, shorter []byte) bool {
	whole := w.content(file, data)
	if whole.refusal != nil || whole.unknown || whole.unwritable || hasSpecialNumber(data) {
		return false
	}
	short := readObjects(file, shorter)
	return short.refusal == nil && !short.unknown && slices.Equal(whole.objects, short.objects)
}

// hasSpecialNumber reports whether a text may have a number that JSON does not have.
func hasSpecialNumber(data []byte) bool {
	return slices.ContainsFunc([]string{".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

// isWritable reports whether kustomize can write an object: as JSON, with each key once.
func isWritable(r *resource.Resource) bool { return isWritableNode(r.YNode()) }

func isWritableNode(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		keys := make(map[string]bool, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode || key.ShortTag() != yaml.NodeTagString || keys[key.Value] || !isWritableNode(n.Content[i+1]) {
				return false
			}
			keys[key.Value] = true
		}
		return true
	case yaml.SequenceNode:
		return !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return !isWritableNode(item) })
	case yaml.ScalarNode:
		return isWritableScalar(n)
	}
	return false
}

func isWritableScalar(n *yaml.Node) bool {
	switch n.ShortTag() {
	case yaml.NodeTagString, yaml.NodeTagBool, yaml.NodeTagNull:
		return true
	case yaml.NodeTagInt, yaml.NodeTagFloat:
		_, err := strconv.ParseFloat(n.Value, 64)
		return err == nil
	}
	return false
}

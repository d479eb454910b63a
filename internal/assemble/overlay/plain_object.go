package overlay

import (
	"strconv"
	"strings"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// plainObject returns an object as kustomize reads it, if it is a whole document that is written plainly.
func plainObject(o *objects.Object) (object map[string]any, ok bool) {
	if o.Kind == "" || strings.HasSuffix(o.Kind, "List") || o.Applied != nil || o.Embedding != nil || len(o.Path) > 0 {
		return nil, false
	}
	value, ok := plainValue(o.Node)
	if !ok {
		return nil, false
	}
	object, _ = value.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if object["apiVersion"] != o.APIVersion || object["kind"] != o.Kind || metadata["name"] != o.Name || o.Name == "" {
		return nil, false
	}
	namespace, isSet := metadata["namespace"]
	if isSet && (namespace == "" || namespace != o.Namespace) || !isPlainTexts(metadata, "labels") || !isPlainTexts(metadata, "annotations") {
		return nil, false
	}
	return object, true
}

// isPlainTexts reports whether labels or annotations are missing, or are texts that are not instructions for kustomize.
func isPlainTexts(metadata map[string]any, field string) bool {
	value, isSet := metadata[field]
	if !isSet {
		return true
	}
	texts, _ := value.(map[string]any)
	for key, text := range texts {
		if _, isText := text.(string); !isText || strings.Contains(key, "config.") {
			return false
		}
	}
	return len(texts) > 0
}

// plainValue returns the value of a node as kustomize writes it. It is false if anything in it is written in an unusual way: with anchors
// or tags, or so that reading and writing it could change it.
func plainValue(n *manifest.Node) (value any, ok bool) {
	if n == nil || n.Anchored() || n.Alias() != nil {
		return nil, false
	}
	switch n.Kind() {
	case kyaml.MappingNode:
		return plainMapping(n)
	case kyaml.SequenceNode:
		return plainSequence(n)
	case kyaml.ScalarNode:
		return plainScalar(n)
	}
	return nil, false
}

func plainMapping(n *manifest.Node) (any, bool) {
	if n.Style()&^kyaml.FlowStyle != 0 {
		return nil, false
	}
	fields := make(map[string]any, len(n.Fields()))
	for _, field := range n.Fields() {
		key, ok := plainValue(field.Key)
		name, isText := key.(string)
		_, twice := fields[name]
		if !ok || !isText || twice || name == "<<" {
			return nil, false
		}
		if fields[name], ok = plainValue(field.Value); !ok {
			return nil, false
		}
	}
	return fields, true
}

func plainSequence(n *manifest.Node) (any, bool) {
	if n.Style()&^kyaml.FlowStyle != 0 {
		return nil, false
	}
	items := make([]any, len(n.Items()))
	for i, item := range n.Items() {
		var ok bool
		if items[i], ok = plainValue(item); !ok {
			return nil, false
		}
	}
	return items, true
}

// plainScalar returns a text, a truth value, or a whole number in its usual form. Every other scalar is left to kustomize.
func plainScalar(n *manifest.Node) (any, bool) {
	switch {
	case n.Tag() == kyaml.NodeTagString:
		return n.Value(), n.IsString() && isPlainText(n)
	case n.Style() != 0:
		return nil, false
	case n.Tag() == kyaml.NodeTagBool:
		return n.Value() == "true", n.Value() == "true" || n.Value() == "false"
	case n.Tag() == kyaml.NodeTagInt:
		number, err := strconv.ParseInt(n.Value(), 10, 64)
		return number, err == nil && strconv.FormatInt(number, 10) == n.Value()
	}
	return nil, false
}

// isPlainText reports whether a text is written and read without a change: lines without a blank at their ends, and not folded.
func isPlainText(n *manifest.Node) bool {
	switch n.Style() {
	case kyaml.DoubleQuotedStyle, kyaml.SingleQuotedStyle:
		return isPlainLine(n.Value())
	case 0, kyaml.LiteralStyle:
		for line := range strings.SplitSeq(strings.TrimSuffix(n.Value(), "\n"), "\n") {
			if !isPlainLine(line) || line == "" && n.Value() != "" {
				return false
			}
		}
		return true
	}
	return false
}

func isPlainLine(text string) bool { return isPrintable(text) && strings.TrimSpace(text) == text }

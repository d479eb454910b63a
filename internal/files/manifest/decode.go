package manifest

import (
	"encoding/base64"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// decodeBudget limits the nodes that one Decode produces. Aliases are expanded, so a few lines can produce billions of
// nodes; the largest CRDs in use have about 60,000.
const decodeBudget = 2_000_000

// Decode returns the value as encoding/json would: map[string]any, []any, string, int64, float64, bool, or nil, with
// aliases expanded and merge keys applied. Parse rejects documents with too many values, and values that contain themselves; in a
// tree that Parse has not checked, they become nil.
func (n *Node) Decode() any {
	budget := decodeBudget
	return n.decode(&budget, maxDepth)
}

func (n *Node) decode(budget *int, depth int) any {
	n = n.deref()
	*budget--
	if n == nil || *budget < 0 || depth < 0 {
		return nil
	}
	switch n.kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.fields))
		n.decodeFields(out, nil, budget, depth)
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = item.decode(budget, depth-1)
		}
		return out
	default:
		return n.decodeScalar()
	}
}

// decodeFields adds the mapping's own fields, then the merged fields whose names are still free. A mapping that is merged
// repeatedly is read once.
func (n *Node) decodeFields(out map[string]any, seen map[*Node]bool, budget *int, depth int) {
	if seen[n] || depth < 0 || *budget < 0 {
		return
	}
	merges := false
	for _, field := range n.fields {
		key := field.Key.String()
		if key == mergeKey {
			merges = true
			continue
		}
		if _, own := out[key]; !own {
			out[key] = field.Value.decode(budget, depth-1)
		}
	}
	if !merges {
		return
	}
	if seen == nil {
		seen = map[*Node]bool{}
	}
	seen[n] = true
	for _, field := range n.fields {
		if field.Key.String() != mergeKey {
			continue
		}
		for _, source := range merged(field.Value) {
			if source = source.deref(); source.IsMapping() {
				source.decodeFields(out, seen, budget, depth-1)
			}
		}
	}
}

func (n *Node) decodeScalar() any {
	if n.oldBool != notOldBool {
		return n.oldBool == oldTrue
	}
	var value any
	switch n.tag() {
	case nullTag:
		return nil
	case "!!int", "!!float", boolTag:
		written := yaml.Node{Kind: n.kind, Tag: n.shortTag(), Value: n.value}
		if written.Decode(&value) != nil {
			return n.value
		}
	default:
		return n.text()
	}
	switch number := value.(type) {
	case int:
		return int64(number)
	case uint64:
		return float64(number)
	case int64, float64, bool:
		return number
	default:
		return n.value
	}
}

// tag is the type of a scalar as sigs.k8s.io/yaml, and therefore kubectl and the API server, resolve it.
func (n *Node) tag() string {
	if n.oldBool != notOldBool {
		return boolTag
	}
	return n.shortTag()
}

// oldBool is the value of a word that is a boolean in YAML 1.1 only, which kubectl reads. The parser used here takes these words for
// strings.
type oldBool uint8

const (
	notOldBool oldBool = iota
	oldFalse
	oldTrue
)

var oldBools = map[string]oldBool{"y": oldTrue, "yes": oldTrue, "on": oldTrue, "n": oldFalse, "no": oldFalse, "off": oldFalse}

// oldBoolOf returns the value of a scalar that is such a word without quotes: in lower case, upper case, or capitalized.
func oldBoolOf(n *yaml.Node) oldBool {
	styled := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	word := n.Value
	if len(word) == 0 || len(word) > len("yes") || n.Kind != yaml.ScalarNode || n.Style&styled != 0 {
		return notOldBool
	}
	lower := strings.ToLower(word)
	if word[1:] != lower[1:] && word != strings.ToUpper(word) {
		return notOldBool
	}
	return oldBools[lower]
}

// text is the text of a scalar. An invalid !!binary keeps its text: kubectl refuses the whole document.
func (n *Node) text() string {
	if n.shortTag() != binaryTag {
		return n.value
	}
	decoded, err := base64.StdEncoding.DecodeString(n.value)
	if err != nil {
		return n.value
	}
	return string(decoded)
}

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
	switch n.YAML.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Fields))
		n.decodeFields(out, map[*Node]bool{}, budget, depth)
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
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
	seen[n] = true
	for _, field := range n.Fields {
		key := field.Key.String()
		if key == mergeKey {
			continue
		}
		if _, own := out[key]; !own {
			out[key] = field.Value.decode(budget, depth-1)
		}
	}
	for _, field := range n.Fields {
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
	if truth, old := n.oldBool(); old {
		return truth
	}
	var value any
	switch n.tag() {
	case nullTag:
		return nil
	case "!!int", "!!float", boolTag:
		if n.YAML.Decode(&value) != nil {
			return n.YAML.Value
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
		return n.YAML.Value
	}
}

// tag is the type of a scalar as sigs.k8s.io/yaml, and therefore kubectl and the API server, resolve it.
func (n *Node) tag() string {
	if _, old := n.oldBool(); old {
		return boolTag
	}
	return n.YAML.ShortTag()
}

// oldBools are the words that are booleans in YAML 1.1 only, which kubectl reads. The parser used here takes them for
// strings.
var oldBools = map[string]bool{"y": true, "yes": true, "on": true, "n": false, "no": false, "off": false}

// oldBool reports whether a scalar is such a word without quotes: in lower case, upper case, or capitalized.
func (n *Node) oldBool() (truth, ok bool) {
	styled := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	word := n.YAML.Value
	if len(word) == 0 || len(word) > len("yes") || n.YAML.Kind != yaml.ScalarNode || n.YAML.Style&styled != 0 {
		return false, false
	}
	lower := strings.ToLower(word)
	if word[1:] != lower[1:] && word != strings.ToUpper(word) {
		return false, false
	}
	truth, ok = oldBools[lower]
	return truth, ok
}

// text is the text of a scalar. An invalid !!binary keeps its text: kubectl refuses the whole document.
func (n *Node) text() string {
	if !strings.Contains(n.YAML.Tag, "binary") || n.YAML.ShortTag() != binaryTag {
		return n.YAML.Value
	}
	decoded, err := base64.StdEncoding.DecodeString(n.YAML.Value)
	if err != nil {
		return n.YAML.Value
	}
	return string(decoded)
}

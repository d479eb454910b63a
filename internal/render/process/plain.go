package process

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// objectJSON returns a built object in JSON, as its MarshalJSON does. That writes the object as YAML and parses it again, which takes
// a third of the time of a build; the result for values that are written in the usual way is known without it.
func objectJSON(r *resource.Resource) ([]byte, error) {
	if node := r.YNode(); node != nil && node.Kind == yaml.MappingNode {
		if value, ok := plainValue(node); ok {
			return json.Marshal(value)
		}
	}
	return r.MarshalJSON()
}

// plainValue returns the value of a node. It is false if anything in it is written in an unusual way: with anchors, tags, or comments between
// brackets, or so that writing and parsing it could change it.
func plainValue(n *yaml.Node) (value any, ok bool) {
	if n.Anchor != "" || n.Alias != nil || !hasPlainComments(n) {
		return nil, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		return plainMapping(n)
	case yaml.SequenceNode:
		return plainSequence(n)
	case yaml.ScalarNode:
		return plainScalar(n)
	}
	return nil, false
}

// hasPlainComments reports whether the comments of a node, if it has any, are lines in front of it, and one behind it.
func hasPlainComments(n *yaml.Node) bool {
	switch {
	case n.HeadComment == "" && n.LineComment == "" && n.FootComment == "":
		return true
	case n.FootComment != "", n.Style&(yaml.FlowStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0, strings.Contains(n.LineComment, "\n"):
		return false
	}
	for line := range strings.SplitSeq(n.HeadComment+"\n"+n.LineComment, "\n") {
		if line != "" && line[0] != '#' || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' && !unicode.IsLetter(r) }) {
			return false
		}
	}
	return true
}

// hasComments reports whether a node inside of another has a comment.
func hasComments(n *yaml.Node) bool {
	return slices.ContainsFunc(n.Content, func(below *yaml.Node) bool {
		return below.HeadComment != "" || below.LineComment != "" || below.FootComment != "" || hasComments(below)
	})
}

func plainMapping(n *yaml.Node) (any, bool) {
	if n.Tag != "" && n.Tag != yaml.NodeTagMap || len(n.Content)%2 != 0 || n.Style&yaml.FlowStyle != 0 && hasComments(n) {
		return nil, false
	}
	fields := make(map[string]any, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key, ok := plainValue(n.Content[i])
		name, isText := key.(string)
		if !ok || !isText || name == "<<" {
			return nil, false
		}
		if _, twice := fields[name]; twice {
			return nil, false
		}
		if fields[name], ok = plainValue(n.Content[i+1]); !ok {
			return nil, false
		}
	}
	return fields, true
}

func plainSequence(n *yaml.Node) (any, bool) {
	if n.Tag != "" && n.Tag != yaml.NodeTagSeq || n.Style&yaml.FlowStyle != 0 && hasComments(n) {
		return nil, false
	}
	items := make([]any, len(n.Content))
	for i, item := range n.Content {
		var ok bool
		if items[i], ok = plainValue(item); !ok {
			return nil, false
		}
	}
	return items, true
}

func plainScalar(n *yaml.Node) (any, bool) {
	switch {
	case n.Tag == yaml.NodeTagString:
		return n.Value, isPlainText(n)
	case n.Style != 0:
		return nil, false
	case n.Tag == "": // a key that kustomize has added
		return n.Value, word().MatchString(n.Value) && n.ShortTag() == yaml.NodeTagString
	case n.Tag == yaml.NodeTagBool:
		return n.Value == "true", n.Value == "true" || n.Value == "false"
	case n.Tag == yaml.NodeTagNull:
		return nil, n.Value == "null"
	case n.Tag == yaml.NodeTagInt:
		number, err := strconv.Atoi(n.Value)
		return number, err == nil && strconv.Itoa(number) == n.Value
	}
	return nil, false
}

// word matches a text that needs no quotes.
var word = lazyregexp.New(`^[A-Za-z][A-Za-z0-9._/-]*$`)

// isPlainText reports whether a text is written and read without a change: lines of printable ASCII without a blank at their ends,
// and not folded. Kustomize's own annotation with the origin of an object is a block of lines.
func isPlainText(n *yaml.Node) bool {
	switch n.Style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		return isPlainLine(n.Value)
	case 0, yaml.LiteralStyle:
		for line := range strings.SplitSeq(strings.TrimSuffix(n.Value, "\n"), "\n") {
			if !isPlainLine(line) || line == "" && n.Value != "" {
				return false
			}
		}
		return true
	}
	return false
}

func isPlainLine(text string) bool {
	if text != "" && (text[0] == ' ' || text[len(text)-1] == ' ') {
		return false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

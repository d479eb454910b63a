package pods

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// styledValue is a value with a style. Two styled values are the same change if their values are.
type styledValue struct {
	value any
	node  *yaml.Node
}

// String returns the value without its style: changes are compared by it.
func (s styledValue) String() string { return fmt.Sprint(s.value) }

// MarshalYAML returns the node with the style.
func (s styledValue) MarshalYAML() (any, error) { return s.node, nil }

// MarshalJSON returns the value: JSON has neither comments nor styles.
func (s styledValue) MarshalJSON() ([]byte, error) { return json.Marshal(s.value) }

// styled returns the projected volume in the style of the volume that it replaces: the mode as it is written, because people
// write 0400 rather than 256, and the comments on what is kept. dropped is set if comments are lost.
func (m *tokenMount) styled(volume map[string]any) (text any, dropped bool) {
	s := styledValue{value: volume, node: &yaml.Node{}}
	source := m.request.Object.Source()
	mapping := source.Doc.ParsedNode(source.Node.Lookup(m.written))
	if err := s.node.Encode(volume); err != nil || mapping == nil {
		return volume, false
	}
	at := slices.IndexFunc(mapping.Content, func(n *yaml.Node) bool { return n.Value == "secret" })
	if mapping.Kind != yaml.MappingNode || at < 0 || at%2 == 1 {
		return volume, false
	}
	secret := mapping.Content[at+1]
	comments := len(commentsIn(mapping.Content[at])) + len(commentsIn(secret))
	kept := 0
	for i := 0; i+1 < len(secret.Content) && secret.Kind == yaml.MappingNode; i += 2 {
		key, value := secret.Content[i], secret.Content[i+1]
		switch {
		case key.Value == "defaultMode" && value.Kind == yaml.ScalarNode:
			kept += s.copyMode(key, value)
		case key.Value == "items" && value.Kind == yaml.SequenceNode:
			kept += s.commentSources(value.Content)
		}
	}
	if secret.Style&yaml.FlowStyle != 0 { // a comment ends the line, which the braces may share
		stripComments(s.node)
		kept = 0
	}
	if s.isPlain() {
		return volume, comments > kept
	}
	return s, comments > kept
}

// isPlain reports whether the value would be written in the same way without its style, as always in JSON.
func (s styledValue) isPlain() bool {
	text, err := yaml.Marshal(s)
	plain, errPlain := yaml.Marshal(s.value)
	return err == nil && errPlain == nil && string(text) == string(plain)
}

// copyMode copies the mode as it is written, with its comments, and returns their number.
func (s styledValue) copyMode(key, value *yaml.Node) (comments int) {
	at := slices.IndexFunc(s.node.Content, func(n *yaml.Node) bool { return n.Value == key.Value })
	if at < 0 {
		return 0 // a text is no mode
	}
	above := commentsIn(key)
	if value.LineComment != "" {
		comments = 1
	}
	s.node.Content[at].HeadComment = strings.Join(above, "\n")
	s.node.Content[at+1] = &yaml.Node{Kind: value.Kind, Tag: value.Tag, Value: value.Value, LineComment: value.LineComment}
	return comments + len(above)
}

// commentSources puts the comments of each item of the Secret above the source that replaces it, and returns their number.
func (s styledValue) commentSources(items []*yaml.Node) (comments int) {
	sources := s.node.Content[slices.IndexFunc(s.node.Content, func(n *yaml.Node) bool { return n.Value == "sources" })+1]
	for i, item := range items {
		all := commentsIn(item)
		sources.Content[i].HeadComment = strings.Join(all, "\n")
		comments += len(all)
	}
	return comments
}

// commentsIn returns the comments on a node and inside it. In a file with CRLF line ends, the library adds empty lines to them.
func commentsIn(n *yaml.Node) []string {
	var all []string
	for _, comment := range []string{n.HeadComment, n.LineComment} {
		if comment = strings.TrimRight(comment, "\n"); comment != "" {
			all = append(all, comment)
		}
	}
	for _, child := range n.Content {
		all = append(all, commentsIn(child)...)
	}
	if n.FootComment != "" {
		all = append(all, n.FootComment)
	}
	return all
}

// stripComments removes all comments from a node.
func stripComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		stripComments(child)
	}
}

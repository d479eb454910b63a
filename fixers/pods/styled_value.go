package pods

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/internal/files/manifest"
)

// styledValue is a value that is written in words of its own. It is told apart from others by the value alone.
type styledValue struct {
	value any
	node  *yaml.Node
}

func (s styledValue) String() string               { return fmt.Sprint(s.value) }
func (s styledValue) MarshalYAML() (any, error)    { return s.node, nil }
func (s styledValue) MarshalJSON() ([]byte, error) { return json.Marshal(s.value) }

// styled writes the projected volume in the words of the one that it replaces: its mode as it stands there, for 0400 is what people
// read, and 256 what a machine makes of it; and comments beside what it keeps. dropped tells that comments are lost.
func (m *tokenMount) styled(volume map[string]any) (text any, dropped bool) {
	s := styledValue{value: volume, node: &yaml.Node{}}
	secret, written := m.request.Object.Source().Node.Lookup(m.written).Field(manifest.Path{"secret"})
	if err := s.node.Encode(volume); err != nil || !written {
		return volume, false
	}
	comments := len(commentsIn(secret.Key.YAML)) + len(commentsIn(secret.Value.YAML))
	kept := 0
	for _, field := range secret.Value.Fields {
		key, value := field.Key.YAML, field.Value.YAML
		switch {
		case key.Value == "defaultMode" && value.Kind == yaml.ScalarNode:
			kept += s.copyMode(key, value)
		case key.Value == "items" && value.Kind == yaml.SequenceNode:
			kept += s.commentSources(value.Content)
		}
	}
	if secret.Value.YAML.Style&yaml.FlowStyle != 0 { // a comment ends the line, and the braces may be on the same
		stripComments(s.node)
		kept = 0
	}
	if s.isPlain() {
		return volume, comments > kept
	}
	return s, comments > kept
}

// isPlain tells whether the value would be written like that anyway. In JSON it always is.
func (s styledValue) isPlain() bool {
	text, err := yaml.Marshal(s)
	plain, errPlain := yaml.Marshal(s.value)
	return err == nil && errPlain == nil && string(text) == string(plain)
}

// copyMode writes the mode as it stands elsewhere, with the comments on it, which it counts.
func (s styledValue) copyMode(key, value *yaml.Node) (comments int) {
	at := slices.IndexFunc(s.node.Content, func(n *yaml.Node) bool { return n.Value == key.Value })
	if at < 0 {
		return 0 // a text, which is no mode
	}
	above := commentsIn(key)
	if value.LineComment != "" {
		comments = 1
	}
	s.node.Content[at].HeadComment = strings.Join(above, "\n")
	s.node.Content[at+1] = &yaml.Node{Kind: value.Kind, Tag: value.Tag, Value: value.Value, LineComment: value.LineComment}
	return comments + len(above)
}

// commentSources puts the comments on each item of the Secret above the source that it becomes, and counts them.
func (s styledValue) commentSources(items []*yaml.Node) (comments int) {
	sources := s.node.Content[slices.IndexFunc(s.node.Content, func(n *yaml.Node) bool { return n.Value == "sources" })+1]
	for i, item := range items {
		all := commentsIn(item)
		sources.Content[i].HeadComment = strings.Join(all, "\n")
		comments += len(all)
	}
	return comments
}

// commentsIn lists the comments on a node and on all that lies in it.
func commentsIn(n *yaml.Node) []string {
	var all []string
	for _, comment := range []string{n.HeadComment, n.LineComment} {
		if comment != "" {
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

// stripComments takes all comments out of a node.
func stripComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		stripComments(child)
	}
}

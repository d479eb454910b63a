package manifest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// FieldComments are the comments of a field: the lines directly above it, and the one behind its value, or behind its colon if
// the value begins on the next line. Each begins with #.
type FieldComments struct {
	// Path leads from the field that is removed or added to the one with the comments; it is empty for the field itself.
	Path Path
	Head []string
	Line string
}

// CommentsOf returns the comments that RemoveField deletes with a field of a mapping, so that AddCommentedField can write them at
// another place. The error is a *RefusedError if a comment stands at a place that has no equivalent there.
func (d *Document) CommentsOf(p Path) ([]FieldComments, error) {
	edit, err := d.RemoveField(p)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(d.File.Data[edit.Start:edit.End], '#') < 0 {
		return nil, nil
	}
	parent, err := d.editable(p[:len(p)-1])
	if err != nil {
		return nil, err
	}
	c := &commentReader{document: d}
	c.read(parent, parent.ownIndex(p[len(p)-1]), nil)
	if at := c.unclaimed(edit.Span); at >= 0 {
		return nil, d.refuse(at, "a comment of %s cannot move with it", p)
	}
	return c.found, nil
}

// commentReader collects the comments of a field. What it has understood is claimed.
type commentReader struct {
	document *Document
	found    []FieldComments
	claimed  []Span
}

func (c *commentReader) claim(start, end int) { c.claimed = append(c.claimed, Span{start, end}) }

// claimTexts claims the keys and scalars of a field: a # in them is no comment.
func (c *commentReader) claimTexts(field Field) {
	c.claim(field.Key.span.Start, field.Key.span.End)
	if value := field.Value; value.IsScalar() {
		start := value.span.Start
		if value.inBlock() {
			start = contentEnd(c.document.File.Data, start) // its header can have a comment
		}
		c.claim(start, value.span.End)
	}
	for _, inner := range field.Value.fields {
		c.claimTexts(inner)
	}
}

// read collects the comments of a field, and of the fields in it unless they are in braces.
func (c *commentReader) read(parent *Node, index int, path Path) {
	d, field := c.document, parent.fields[index]
	c.claimTexts(field)
	floor := max(int(parent.colon), int(parent.dash), d.Span.Start)
	if parent.inFlow() {
		floor = parent.span.Start + 1
	}
	if index > 0 {
		floor = parent.entries()[index-1].end
	}
	comments := FieldComments{Path: slices.Clone(path)}
	start, line := field.Key.span.Start, d.lineStartOf(field.Key.span.Start)
	if d.startsLine(start) {
		head := d.headComments(start, floor)
		c.claim(head, line)
		for text := range strings.Lines(string(d.File.Data[head:line])) {
			if comment := strings.TrimSpace(text); !isFileDirective(comment) { // it stays
				comments.Head = append(comments.Head, comment)
			}
		}
	}
	comments.Line = c.lineComment(field.Value)
	if len(comments.Head) > 0 || comments.Line != "" {
		c.found = append(c.found, comments)
	}
	if field.Value.target == nil && !field.Value.inFlow() {
		for i, inner := range field.Value.fields {
			c.read(field.Value, i, append(slices.Clone(path), inner.Key.String()))
		}
	}
}

// lineComment returns the comment behind a value, or behind the colon of a value that begins on a later line.
func (c *commentReader) lineComment(value *Node) string {
	data := c.document.File.Data
	from := value.span.End
	if value.colon > 0 && bytes.IndexByte(data[value.colon:value.span.Start], '\n') >= 0 {
		from = int(value.colon)
	}
	if value.kind == yaml.ScalarNode && value.inBlock() {
		return "" // the comment is in its header, and its end is the next line
	}
	end := contentEnd(data, from)
	text := strings.TrimSpace(strings.TrimPrefix(string(data[from:end]), ",")) // the comma between braces
	if !strings.HasPrefix(text, "#") {
		return ""
	}
	c.claim(from, end)
	if isFileDirective(text) { // it stays
		return ""
	}
	return text
}

// unclaimed returns the offset of the first # in a span that is not claimed, or -1.
func (c *commentReader) unclaimed(span Span) int {
	for at := span.Start; at < span.End; at++ {
		if c.document.File.Data[at] != '#' {
			continue
		}
		within := func(s Span) bool { return s.Start <= at && at < s.End }
		if !slices.ContainsFunc(c.claimed, within) {
			return at
		}
	}
	return -1
}

// AddCommentedField adds a field as AddField does, with comments. The error is a *RefusedError, also for comments in braces.
func (d *Document) AddCommentedField(parent Path, after, key string, value any, comments []FieldComments) (Edit, error) {
	if len(comments) == 0 {
		return d.AddField(parent, after, key, value)
	}
	n, index, err := d.placeOfField(parent, after, key)
	if err != nil {
		return Edit{}, err
	}
	if n.inFlow() {
		return Edit{}, d.refuse(n.span.Start, "a comment cannot move into the braces of %s", describe(parent))
	}
	var node yaml.Node
	if err := node.Encode(map[string]any{key: value}); err != nil {
		return Edit{}, d.refuse(n.span.Start, "the value of %s cannot be written: %v", parent.Join(key), err)
	}
	for _, c := range comments {
		c.writeTo(&node, append(Path{key}, c.Path...))
	}
	return d.insertBlock(n, index, &node), nil
}

// writeTo sets the comments of the field at a path. The comment behind a sequence goes behind its first item.
func (c FieldComments) writeTo(n *yaml.Node, path Path) {
	key := n
	for _, step := range path {
		key, n = childOf(n, step)
		if n == nil {
			return
		}
	}
	head := c.Head
	if key.HeadComment != "" {
		head = append([]string{key.HeadComment}, head...)
	}
	key.HeadComment = strings.Join(head, "\n")
	switch {
	case c.Line == "":
	case n.Kind == yaml.MappingNode:
		key.LineComment = c.Line
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		n.Content[0].LineComment = c.Line
	default:
		n.LineComment = c.Line
	}
}

// childOf returns the key and the value of a field, or an item as both; nil if there is none.
func childOf(n *yaml.Node, step string) (key, value *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i]
		}
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

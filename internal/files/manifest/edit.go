package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Edit replaces the bytes of a span by New.
type Edit struct {
	Span
	New string
}

// Apply applies edits, given in any order. Overlapping edits are an error, because their combined result is ambiguous.
// Insertions at one place are kept in the order given.
func Apply(data []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int { return a.Start - b.Start })
	out := make([]byte, 0, len(data))
	pos := 0
	for _, e := range sorted {
		if e.Start < pos || e.End < e.Start || e.End > len(data) {
			return nil, fmt.Errorf("edits overlap at byte %d", e.Start)
		}
		out = append(append(out, data[pos:e.Start]...), e.New...)
		pos = e.End
	}
	return append(out, data[pos:]...), nil
}

func (d *Document) refuse(at int, format string, args ...any) error {
	line, _ := d.File.Position(at)
	return &RefusedError{File: d.File.Path, Line: line, Reason: fmt.Sprintf(format, args...)}
}

// editable finds the node at a path for an edit. The path must lead through the document's own text: the value of an alias
// or a merge key is written elsewhere, and an anchored node that an alias repeats would change in two places.
func (d *Document) editable(p Path) (*Node, error) {
	if d.Root == nil || !d.Exact {
		reason := "the document was not parsed"
		if inexact := d.result().inexact; inexact != nil {
			reason = inexact.Error()
		}
		return nil, d.refuse(d.Span.Start, "its exact bytes are unknown: %s", reason)
	}
	n, anchorUse := d.Root, d.result().anchorUse
	for i := 0; ; i++ {
		if anchorUse[n] > 0 {
			return nil, d.refuse(n.span.Start, "%s is also used by an alias, which would change too", describe(p[:i]))
		}
		if i == len(p) {
			return n, nil
		}
		child := n.ownChild(p[i])
		if child == nil {
			return nil, d.refuseMissing(n, p[:i+1])
		}
		n = child
	}
}

func describe(p Path) string {
	if len(p) == 0 {
		return "the document"
	}
	return p.String()
}

func (d *Document) refuseMissing(n *Node, p Path) error {
	switch {
	case n.target != nil:
		return d.refuse(n.span.Start, "%s comes from an alias; edit the anchored value", p)
	case n.child(p[len(p)-1]) != nil:
		return d.refuse(n.span.Start, "%s comes from a merge key (<<); edit the merged mapping", p)
	default:
		return d.refuse(n.span.Start, "%s does not exist", p)
	}
}

// ownChild finds a child in the node's own text, or nil.
func (n *Node) ownChild(step string) *Node {
	if index := n.ownIndex(step); index < 0 {
		return nil
	} else if n.kind == yaml.MappingNode {
		return n.fields[index].Value
	} else {
		return n.items[index]
	}
}

func (n *Node) ownIndex(step string) int {
	switch n.kind {
	case yaml.MappingNode:
		return slices.IndexFunc(n.fields, func(f Field) bool { return f.Key.String() == step })
	case yaml.SequenceNode:
		if index, err := strconv.Atoi(step); err == nil && index >= 0 && index < len(n.items) {
			return index
		}
	}
	return -1
}

// checkAnchors refuses to remove a node that contains an anchor which an alias outside it uses.
func (d *Document) checkAnchors(nodes ...*Node) error {
	inside, anchorUse := map[*Node]int{}, d.result().anchorUse
	var anchored []*Node
	for _, n := range nodes {
		n.walk(func(n *Node) {
			if n.target != nil {
				inside[n.target]++
			}
			if anchorUse[n] > 0 {
				anchored = append(anchored, n)
			}
		})
	}
	for _, n := range anchored {
		if anchorUse[n] > inside[n] {
			return d.refuse(n.span.Start, "it contains the anchor &%s, which is used outside it", d.anchorOf(n))
		}
	}
	return nil
}

func (n *Node) walk(visit func(*Node)) {
	visit(n)
	for _, field := range n.fields {
		field.Key.walk(visit)
		field.Value.walk(visit)
	}
	for _, item := range n.items {
		item.walk(visit)
	}
}

// anchorOf returns the name of the anchor of a node, as written.
func (d *Document) anchorOf(n *Node) string {
	_, text, _ := strings.Cut(string(d.File.Data[n.span.Start:n.span.End]), "&")
	if end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,[]{}", r) }); end >= 0 {
		return text[:end]
	}
	return text
}

// inFlow reports whether a collection is written with brackets or braces.
func (n *Node) inFlow() bool { return n.style&yaml.FlowStyle != 0 }

// lineStartOf is the offset of the first byte of the line that contains pos, after a byte order mark.
func (d *Document) lineStartOf(pos int) int {
	start := bytes.LastIndexByte(d.File.Data[:pos], '\n') + 1
	return max(start, d.Span.Start)
}

// startsLine reports whether only white space precedes pos on its line.
func (d *Document) startsLine(pos int) bool {
	for pos > d.Span.Start && isBlank(d.File.Data[pos-1]) {
		pos--
	}
	return pos == d.Span.Start || d.File.Data[pos-1] == '\n'
}

// newline is the line break that the file uses: that of its first line.
func (f *File) newline() string {
	if i := bytes.IndexByte(f.Data, '\n'); i > 0 && f.Data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

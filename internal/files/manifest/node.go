package manifest

import (
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Node is a node of a document: what kyaml read, and where it stands.
type Node struct {
	// YAML is kyaml's node: kind, value, tag, style.
	YAML *yaml.Node
	// Span covers the node with its anchor and tag. An implied null has an empty span behind its colon or dash.
	Span Span
	// Fields of a mapping, Items of a sequence, in the order of the file.
	Fields []Field
	Items  []*Node

	target *Node // what an alias stands for
	dash   int   // of an item in a block sequence: the offset of its dash, else -1
	colon  int   // of a field's value: the offset behind the colon, or 0 when there is none
}

// Field is a key of a mapping with its value.
type Field struct{ Key, Value *Node }

const (
	mergeKey  = "<<"
	nullTag   = "!!null"
	boolTag   = "!!bool"
	binaryTag = "!!binary"
)

// deref follows aliases to the node they stand for.
func (n *Node) deref() *Node {
	for n != nil && n.target != nil {
		n = n.target
	}
	return n
}

// IsMapping, IsSequence and IsScalar tell the kind of a node; an alias has the kind of what it stands for.
func (n *Node) IsMapping() bool { return n.hasKind(yaml.MappingNode) }

// IsSequence tells whether the node is a sequence.
func (n *Node) IsSequence() bool { return n.hasKind(yaml.SequenceNode) }

// IsScalar tells whether the node is a scalar, null included.
func (n *Node) IsScalar() bool { return n.hasKind(yaml.ScalarNode) }

func (n *Node) hasKind(kind yaml.Kind) bool {
	n = n.deref()
	return n != nil && n.YAML.Kind == kind
}

// IsNull tells whether the node is there and null.
func (n *Node) IsNull() bool {
	n = n.deref()
	return n != nil && n.YAML.Kind == yaml.ScalarNode && n.tag() == nullTag
}

// String is the text of a scalar, whatever its type; "" for null, for collections, and for a node that is not there. The
// text of a !!binary is what it encodes, as kubectl reads it.
func (n *Node) String() string {
	n = n.deref()
	if n == nil || n.YAML.Kind != yaml.ScalarNode || n.IsNull() {
		return ""
	}
	return n.text()
}

// IsString tells whether the node is a scalar that the API server would take for a string.
func (n *Node) IsString() bool {
	n = n.deref()
	if n == nil || n.YAML.Kind != yaml.ScalarNode {
		return false
	}
	switch n.tag() {
	case "!!str", binaryTag, "!!timestamp":
		return true
	}
	return false
}

// Get gives the value of a key, through aliases and merge keys, or nil.
func (n *Node) Get(key string) *Node {
	field, _ := n.field(key)
	return field.Value
}

// field finds a key among the mapping's own fields, then in what it merges.
func (n *Node) field(key string) (Field, bool) {
	return n.fieldWithin(key, nil)
}

// fieldWithin looks into a mapping and what it merges. Merge keys can lead in a circle, or to one mapping by a billion
// ways, so each mapping is looked into once.
func (n *Node) fieldWithin(key string, seen map[*Node]bool) (Field, bool) {
	n = n.deref()
	if n == nil || seen[n] {
		return Field{}, false
	}
	merges := false
	for _, field := range n.Fields {
		name := field.Key.String()
		if name == key {
			return field, true
		}
		merges = merges || name == mergeKey
	}
	if !merges {
		return Field{}, false
	}
	if seen == nil {
		seen = map[*Node]bool{}
	}
	seen[n] = true
	for _, field := range n.Fields {
		if field.Key.String() != mergeKey {
			continue
		}
		for _, merged := range merged(field.Value) {
			if found, ok := merged.fieldWithin(key, seen); ok {
				return found, true
			}
		}
	}
	return Field{}, false
}

// merged lists the mappings that a merge key brings in: one, or a sequence of them.
func merged(value *Node) []*Node {
	value = value.deref()
	if value.IsSequence() {
		return value.Items
	}
	return []*Node{value}
}

// Field finds the key and value at a path.
func (n *Node) Field(p Path) (Field, bool) {
	if len(p) == 0 {
		return Field{}, false
	}
	return n.Lookup(p[:len(p)-1]).field(p[len(p)-1])
}

// Lookup finds the node at a path below n, or nil.
func (n *Node) Lookup(p Path) *Node {
	for _, step := range p {
		n = n.child(step)
		if n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) child(step string) *Node {
	n = n.deref()
	if !n.IsSequence() {
		return n.Get(step)
	}
	index, err := strconv.Atoi(step)
	if err != nil || index < 0 || index >= len(n.Items) {
		return nil
	}
	return n.Items[index]
}

// Locate gives the bytes of the field at a path, from the start of its key to the end of its value; of an item of a
// sequence, its bytes; and where the path leads nowhere, the same of the nearest ancestor that is there.
func (d *Document) Locate(p Path) Span {
	for ; len(p) > 0; p = p[:len(p)-1] {
		if field, ok := d.Root.Field(p); ok {
			return Span{field.Key.Span.Start, max(field.Key.Span.End, field.Value.Span.End)}
		}
		if node := d.Root.Lookup(p); node != nil {
			return node.Span
		}
	}
	if d.Root == nil {
		return d.Span
	}
	return d.Root.Span
}

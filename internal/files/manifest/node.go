package manifest

import (
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Node is a node of a document: what kyaml read, and its position. It is smaller than kyaml's node, which is not kept: the nodes of a
// repository are most of the memory of a run. Lookups return nil for what does not exist, and all methods can be called on nil.
type Node struct {
	*content // never nil; a scalar with a usual tag has that of all of them

	value    string
	span     Span
	kind     yaml.Kind
	style    yaml.Style
	dash     int32 // of an item in a block sequence: the offset of its dash, otherwise -1
	colon    int32 // of a field's value: the offset after the colon, or 0 if there is none
	known    knownTag
	oldBool  oldBool
	anchored bool
}

// content is what most nodes do not have, because most are scalars.
type content struct {
	fields   []Field
	items    []*Node
	target   *Node  // the target of an alias
	otherTag string // one that is not among knownTags
}

// noContent is shared, and not changed.
var noContent content

// knownTag is the index of a tag in knownTags.
type knownTag uint8

// knownTags are the usual tags. The first is for all others.
var knownTags = [...]string{"", stringTag, nullTag, boolTag, "!!int", "!!float", "!!map", "!!seq", "!!timestamp", mergeTag}

// shortTag returns the type in the short form, by the rules of YAML 1.2.
func (n *Node) shortTag() string {
	if n.known == 0 {
		return n.content.otherTag
	}
	return knownTags[n.known]
}

// Value returns the text of a scalar as it is in the file, or the name of the anchor of an alias.
func (n *Node) Value() string {
	if n == nil {
		return ""
	}
	return n.value
}

// Tag returns the type in the short form, as in !!str, by the rules of YAML 1.2. IsString and the like also know the booleans of YAML 1.1.
func (n *Node) Tag() string {
	if n == nil {
		return ""
	}
	return n.shortTag()
}

// Kind returns the kind of kyaml. An alias is a separate kind.
func (n *Node) Kind() yaml.Kind {
	if n == nil {
		return 0
	}
	return n.kind
}

// Style returns the style of kyaml.
func (n *Node) Style() yaml.Style {
	if n == nil {
		return 0
	}
	return n.style
}

// Anchored reports whether the node has an anchor.
func (n *Node) Anchored() bool { return n != nil && n.anchored }

// Span returns the bytes of the node with its anchor and tag. An implied null has an empty span after its colon or dash.
func (n *Node) Span() Span {
	if n == nil {
		return Span{}
	}
	return n.span
}

// Fields returns the fields of a mapping in the order of the file, without those of merge keys.
func (n *Node) Fields() []Field {
	if n == nil {
		return nil
	}
	return n.fields
}

// Items returns the items of a sequence.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Field is a key of a mapping with its value.
type Field struct{ Key, Value *Node }

// WithText returns a copy of a mapping with a text at a path below it, where something outside of the mapping sets it. What is added
// has no bytes: its span is empty, at the beginning of the mapping.
func (n *Node) WithText(p Path, text string) *Node {
	return n.deref().withText(p, text, n.Span().Start)
}

func (n *Node) withText(p Path, text string, start int) *Node {
	if len(p) == 0 {
		return detached(yaml.NewStringRNode(text).YNode(), start)
	}
	mapping := detached(&yaml.Node{Kind: yaml.MappingNode}, start)
	if n.IsMapping() {
		*mapping = *n.deref()
	}
	key := p[0]
	own := slices.DeleteFunc(slices.Clone(mapping.fields), func(f Field) bool { return f.Key.String() == key })
	value := mapping.Get(key).withText(p[1:], text, start)
	mapping.content = &content{fields: append([]Field{{detached(yaml.NewStringRNode(key).YNode(), start), value}}, own...), otherTag: mapping.content.otherTag}
	return mapping
}

// detached returns a node without bytes.
func detached(parsed *yaml.Node, start int) *Node {
	n := &Node{}
	n.read(parsed, Span{start, start})
	return n
}

// read sets what kyaml's node tells.
func (n *Node) read(parsed *yaml.Node, span Span) {
	*n = Node{
		content: &noContent, value: parsed.Value, kind: parsed.Kind, style: parsed.Style, anchored: parsed.Anchor != "",
		oldBool: oldBoolOf(parsed), span: span, dash: -1,
	}
	tag := parsed.ShortTag()
	n.known = knownTag(max(slices.Index(knownTags[:], tag), 0))
	if parsed.Kind != yaml.ScalarNode || n.known == 0 {
		n.content = &content{otherTag: tag}
	}
}

// Alias returns the target of an alias, and nil for any other node.
func (n *Node) Alias() *Node {
	if n == nil {
		return nil
	}
	return n.target
}

const (
	mergeKey  = "<<"
	mergeTag  = "!!merge"
	stringTag = "!!str"
	nullTag   = "!!null"
	boolTag   = "!!bool"
	binaryTag = "!!binary"
)

// deref follows aliases to their target.
func (n *Node) deref() *Node {
	for n != nil && n.target != nil {
		n = n.target
	}
	return n
}

// IsMapping reports whether the node is a mapping. An alias has the kind of its target, here and in the methods below.
func (n *Node) IsMapping() bool { return n.hasKind(yaml.MappingNode) }

// IsSequence reports whether the node is a sequence.
func (n *Node) IsSequence() bool { return n.hasKind(yaml.SequenceNode) }

// IsScalar reports whether the node is a scalar, null included.
func (n *Node) IsScalar() bool { return n.hasKind(yaml.ScalarNode) }

func (n *Node) hasKind(kind yaml.Kind) bool {
	n = n.deref()
	return n != nil && n.kind == kind
}

// IsNull reports whether the node exists and is null.
func (n *Node) IsNull() bool {
	n = n.deref()
	return n != nil && n.kind == yaml.ScalarNode && n.tag() == nullTag
}

// String is the text of a scalar of any type; "" for null, for collections, and for a missing node. The text of a !!binary
// is the decoded value, as for kubectl.
func (n *Node) String() string {
	n = n.deref()
	if n == nil || n.kind != yaml.ScalarNode || n.IsNull() {
		return ""
	}
	return n.text()
}

// IsString reports whether the node is a scalar that the API server reads as a string.
func (n *Node) IsString() bool {
	n = n.deref()
	if n == nil || n.kind != yaml.ScalarNode {
		return false
	}
	switch n.tag() {
	case stringTag, binaryTag, "!!timestamp":
		return true
	}
	return false
}

// isPlain reports whether the node is a string, as most keys are, with this text.
func (n *Node) isPlain(text string) bool {
	return n.value == text && n.kind == yaml.ScalarNode && knownTags[n.known] == stringTag && n.oldBool == notOldBool
}

// Get returns the value of a key, through aliases and merge keys, or nil.
func (n *Node) Get(key string) *Node {
	field, _ := n.field(key)
	return field.Value
}

// field finds a key among the mapping's own fields, then among the merged fields.
func (n *Node) field(key string) (Field, bool) {
	return n.fieldWithin(key, nil)
}

// fieldWithin searches a mapping and its merged mappings. Merge keys can form a circle, or reach one mapping in a billion
// ways, so each mapping is searched once.
func (n *Node) fieldWithin(key string, seen map[*Node]bool) (Field, bool) {
	n = n.deref()
	if n == nil || seen[n] {
		return Field{}, false
	}
	merges := false
	for i := range n.fields {
		field := &n.fields[i]
		if field.Key.isPlain(key) {
			return *field, true
		}
		name := field.Key.String()
		if name == key {
			return *field, true
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
	for _, field := range n.fields {
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

// merged lists the mappings of a merge key: one, or a sequence of them.
func merged(value *Node) []*Node {
	value = value.deref()
	if value.IsSequence() {
		return value.items
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
	if err != nil || index < 0 || index >= len(n.items) {
		return nil
	}
	return n.items[index]
}

// Locate returns the bytes of the field at a path, from the start of its key to the end of its value, or the bytes of an
// item of a sequence. If the path does not exist, it returns those of the nearest existing ancestor.
func (d *Document) Locate(p Path) Span {
	for ; len(p) > 0; p = p[:len(p)-1] {
		if field, ok := d.Root.Field(p); ok {
			return Span{field.Key.span.Start, max(field.Key.span.End, field.Value.span.End)}
		}
		if node := d.Root.Lookup(p); node != nil {
			return node.span
		}
	}
	if d.Root == nil {
		return d.Span
	}
	return d.Root.span
}

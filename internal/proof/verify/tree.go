package verify

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
)

// Limits on the compared trees: a few aliases can stand for billions of nodes, or for themselves.
const (
	maxNodes = 2_000_000
	maxDepth = 5_000
)

// tree is a document as it should be.
type tree struct {
	root *yaml.Node
	// added are declared nodes, whose key order the editor chooses.
	added map[*yaml.Node]bool
	// left is the number of nodes that may still be visited.
	left int
}

// expected applies declared changes to a copy of a tree, without using bytes.
func expected(before *manifest.Node, declared []engine.Change) (*tree, error) {
	t := &tree{added: map[*yaml.Node]bool{}, left: maxNodes}
	root, err := t.read(before, 0)
	if err != nil {
		return nil, err
	}
	t.root = root
	for _, c := range declared {
		if err := t.write(c); err != nil {
			return nil, err
		}
	}
	// From the last item to the first, so that the preceding indexes stay valid.
	removals := slices.DeleteFunc(slices.Clone(declared), func(c engine.Change) bool { return c.Op != engine.RemoveValue })
	slices.SortStableFunc(removals, func(a, b engine.Change) int { return slices.CompareFunc(b.Path, a.Path, compareSteps) })
	for _, c := range removals {
		if err := t.remove(c.Path); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// compareSteps orders the steps of paths; indexes are compared as numbers.
func compareSteps(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return x - y
	}
	return strings.Compare(a, b)
}

// read returns a parsed tree with its aliases and merge keys expanded, and without comments, styles and positions.
func (t *tree) read(n *manifest.Node, depth int) (*yaml.Node, error) {
	if t.left--; t.left < 0 || depth > maxDepth {
		return nil, errTooLarge
	}
	if n.Kind() == yaml.AliasNode {
		return t.read(n.Alias(), depth+1)
	}
	out := &yaml.Node{Kind: n.Kind(), Tag: n.Tag(), Value: n.Value()}
	var merges []*yaml.Node
	for _, field := range n.Fields() {
		value, err := t.read(field.Value, depth+1)
		if err != nil {
			return nil, err
		}
		if field.Key.Tag() == mergeTag {
			merges = append(merges, value)
			continue
		}
		key, err := t.read(field.Key, depth+1)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, key, value)
	}
	for _, item := range n.Items() {
		value, err := t.read(item, depth+1)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, value)
	}
	merge(out, merges)
	return out, nil
}

var errTooLarge = errors.New("its aliases expand to too much to compare")

// copy expands the aliases of a declared value, and drops its comments and styles.
func (t *tree) copy(n *yaml.Node, depth int) (*yaml.Node, error) {
	if t.left--; t.left < 0 || depth > maxDepth {
		return nil, errTooLarge
	}
	if n.Kind == yaml.AliasNode {
		return t.copy(n.Alias, depth+1)
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.ShortTag(), Value: n.Value}
	for _, child := range n.Content {
		c, err := t.copy(child, depth+1)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, c)
	}
	return out, nil
}

const mergeTag = "!!merge"

// merge adds the fields of merge keys that the mapping does not set itself: removing a field can reveal one of a merge key.
func merge(into *yaml.Node, sources []*yaml.Node) {
	for _, merged := range sources {
		mappings := []*yaml.Node{merged}
		if merged.Kind == yaml.SequenceNode {
			mappings = merged.Content
		}
		for _, m := range mappings {
			for i := 0; i+1 < len(m.Content) && m.Kind == yaml.MappingNode; i += 2 {
				if keyIndex(into, m.Content[i].Value) < 0 {
					into.Content = append(into.Content, m.Content[i], m.Content[i+1])
				}
			}
		}
	}
}

// write applies all changes except removals of items.
func (t *tree) write(c engine.Change) error {
	switch c.Op {
	case engine.RemoveValue:
		return nil
	case engine.AppendItem:
		return t.appendItem(c)
	case engine.RenameField:
		return t.rename(c)
	}
	last := len(c.Path) - 1
	parent := find(t.root, c.Path[:last])
	if parent != nil && parent.Kind == yaml.SequenceNode && (c.Op == engine.SetText || c.Op == engine.SetValue) {
		return t.setItem(c)
	}
	if parent == nil || parent.Kind != yaml.MappingNode {
		return fmt.Errorf("%s is not in a mapping", c.Path)
	}
	value, err := t.encode(c.Value)
	if err != nil {
		return err
	}
	at := keyIndex(parent, c.Path[last])
	if there := c.Op != engine.AddField; there != (at >= 0) {
		return fmt.Errorf("%s is not in the state that %q requires", c.Path, c.Op)
	}
	if c.Op == engine.SetText || c.Op == engine.SetValue {
		parent.Content[at+1] = value
		return nil
	}
	if c.Op == engine.ReplaceField {
		parent.Content = slices.Delete(parent.Content, at, at+2)
	}
	end := len(parent.Content)
	if after := keyIndex(parent, c.After); c.After != "" && after >= 0 {
		end = after + 2
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: c.Path[last]}
	parent.Content = slices.Insert(parent.Content, end, key, value)
	return nil
}

func (t *tree) encode(value any) (*yaml.Node, error) {
	var n yaml.Node
	if err := n.Encode(value); err != nil {
		return nil, err
	}
	out, err := t.copy(&n, 0)
	if err == nil {
		t.mark(out)
	}
	return out, err
}

func (t *tree) mark(n *yaml.Node) {
	t.added[n] = true
	for _, child := range n.Content {
		t.mark(child)
	}
}

func (t *tree) remove(path manifest.Path) error {
	parent, step := find(t.root, path[:len(path)-1]), path[len(path)-1]
	switch {
	case parent == nil:
	case parent.Kind == yaml.MappingNode:
		if at := keyIndex(parent, step); at >= 0 {
			parent.Content = slices.Delete(parent.Content, at, at+2)
			return nil
		}
	case parent.Kind == yaml.SequenceNode:
		if at, err := strconv.Atoi(step); err == nil && at >= 0 && at < len(parent.Content) {
			parent.Content = slices.Delete(parent.Content, at, at+1)
			return nil
		}
	}
	return fmt.Errorf("%s does not exist", path)
}

func find(n *yaml.Node, path manifest.Path) *yaml.Node {
	for _, step := range path {
		switch n.Kind {
		case yaml.MappingNode:
			at := keyIndex(n, step)
			if at < 0 {
				return nil
			}
			n = n.Content[at+1]
		case yaml.SequenceNode:
			at, err := strconv.Atoi(step)
			if err != nil || at < 0 || at >= len(n.Content) {
				return nil
			}
			n = n.Content[at]
		default:
			return nil
		}
	}
	return n
}

// keyIndex returns the index of a key in the content of a mapping, or -1.
func keyIndex(n *yaml.Node, key string) int {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// compare returns where a tree differs from the expected one; nil if it does not.
func (t *tree) compare(after *manifest.Node) error {
	t.left = maxNodes
	got, err := t.read(after, 0)
	if err != nil {
		return err
	}
	return t.same(t.root, got, nil)
}

func (t *tree) same(want, got *yaml.Node, path manifest.Path) error {
	if want.Kind != got.Kind || want.Tag != got.Tag || want.Value != got.Value || len(want.Content) != len(got.Content) {
		return undeclared(describe(path), "differ from the declared change")
	}
	if want.Kind == yaml.MappingNode {
		return t.sameFields(want, got, path)
	}
	for i := range want.Content {
		if err := t.same(want.Content[i], got.Content[i], path.Join(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) sameFields(want, got *yaml.Node, path manifest.Path) error {
	for i := 0; i < len(want.Content); i += 2 {
		key, at := want.Content[i], i
		if t.added[want] {
			at = keyIndex(got, key.Value)
		}
		if at < 0 {
			return undeclared(describe(path.Join(key.Value)), "be missing")
		}
		if err := t.same(key, got.Content[at], path.Join(key.Value)); err != nil {
			return err
		}
		if err := t.same(want.Content[i+1], got.Content[at+1], path.Join(key.Value)); err != nil {
			return err
		}
	}
	return nil
}

// undeclared returns the error about a part of a file or an object that would not be as the plans declare it, with the remedy.
func undeclared(part, effect string) error {
	return fmt.Errorf("%s would %s: change it by hand", part, effect)
}

func describe(path manifest.Path) string {
	if len(path) == 0 {
		return "it"
	}
	return path.String()
}

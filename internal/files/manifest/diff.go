package manifest

import (
	"reflect"
	"slices"
	"strconv"
)

// Op is the kind of a change.
type Op string

// The operations, named as in JSON patch.
const (
	Add     Op = "add"
	Remove  Op = "remove"
	Replace Op = "replace"
)

// Change is one difference between two trees. The path of a removed node is its path in the tree before; other paths are of
// the tree after. The two can differ in sequences that became shorter or longer.
type Change struct {
	Path          Path
	Op            Op
	Before, After any
}

// Equal reports whether two trees have the same meaning and the same order of keys.
func Equal(a, b *Node) bool { return len(Diff(a, b)) == 0 }

// Diff returns the changes from the tree `before` to the tree `after`, in the order of the file. Comments, quoting, and
// layout are ignored; aliases count as their targets. A mapping whose keys change order is replaced.
func Diff(before, after *Node) []Change {
	d := differ{budget: decodeBudget}
	d.compare(nil, before, after, maxDepth)
	return d.changes
}

// differ collects changes. Its budget limits aliases: a few lines can expand to billions of nodes.
type differ struct {
	changes []Change
	budget  int
	gaveUp  bool
}

func (d *differ) compare(path Path, before, after *Node, depth int) {
	if before, after = before.deref(), after.deref(); before == after {
		return
	}
	d.budget--
	switch {
	case depth < 0 || d.budget < 0:
		d.giveUp()
	case before.IsMapping() && after.IsMapping() && sameOrder(before, after):
		d.compareFields(path, before, after, depth)
	case before.IsSequence() && after.IsSequence():
		d.compareItems(path, before.items, after.items, depth)
	case !sameScalar(before, after):
		d.replace(path, before, after)
	}
}

// giveUp records once that the trees are too large to compare, so that they never count as equal.
func (d *differ) giveUp() {
	if !d.gaveUp {
		d.gaveUp = true
		d.changes = append(d.changes, Change{Op: Replace})
	}
}

func (d *differ) replace(path Path, before, after *Node) {
	d.changes = append(d.changes, Change{path, Replace, before.Decode(), after.Decode()})
}

func (d *differ) compareFields(path Path, before, after *Node, depth int) {
	in := keys(after)
	for _, field := range before.fields {
		key := field.Key.String()
		if value, kept := in[key]; kept {
			d.compare(path.Join(key), field.Value, value, depth-1)
			continue
		}
		d.changes = append(d.changes, Change{path.Join(key), Remove, field.Value.Decode(), nil})
	}
	in = keys(before)
	for _, field := range after.fields {
		key := field.Key.String()
		if _, known := in[key]; !known {
			d.changes = append(d.changes, Change{path.Join(key), Add, nil, field.Value.Decode()})
		}
	}
}

func keys(n *Node) map[string]*Node {
	m := make(map[string]*Node, len(n.fields))
	for _, field := range n.fields {
		m[field.Key.String()] = field.Value
	}
	return m
}

// sameOrder reports whether the keys that both mappings have are in the same order.
func sameOrder(a, b *Node) bool {
	inA, inB := keys(a), keys(b)
	return slices.Equal(sharedKeys(a, inB), sharedKeys(b, inA))
}

func sharedKeys(n *Node, other map[string]*Node) []string {
	var shared []string
	for _, field := range n.fields {
		if _, ok := other[field.Key.String()]; ok {
			shared = append(shared, field.Key.String())
		}
	}
	return shared
}

// compareItems matches the common items at the start and the end of both sequences, and compares or lists those in between.
func (d *differ) compareItems(path Path, before, after []*Node, depth int) {
	if len(before) == len(after) {
		for i := range before {
			d.compare(path.Join(strconv.Itoa(i)), before[i], after[i], depth-1)
		}
		return
	}
	head := commonLength(before, after, func(i int) (int, int) { return i, i })
	rest := min(len(before), len(after)) - head
	tail := min(rest, commonLength(before, after, func(i int) (int, int) { return len(before) - 1 - i, len(after) - 1 - i }))
	for i := head; i < len(before)-tail; i++ {
		d.changes = append(d.changes, Change{path.Join(strconv.Itoa(i)), Remove, before[i].Decode(), nil})
	}
	for i := head; i < len(after)-tail; i++ {
		d.changes = append(d.changes, Change{path.Join(strconv.Itoa(i)), Add, nil, after[i].Decode()})
	}
}

func commonLength(a, b []*Node, at func(int) (int, int)) int {
	n := 0
	for n < min(len(a), len(b)) {
		i, j := at(n)
		if !Equal(a[i], b[j]) {
			break
		}
		n++
	}
	return n
}

func sameScalar(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.IsScalar() && b.IsScalar() && a.shortTag() == b.shortTag() && reflect.DeepEqual(a.Decode(), b.Decode())
}

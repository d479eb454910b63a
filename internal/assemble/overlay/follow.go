package overlay

import (
	"reflect"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// followPath follows a path of a built object through another tree, the object's source or a patch, in which list items can
// have other indexes. It returns how far it came, and the node if it came to the end.
func followPath(tree, built *manifest.Node, path manifest.Path) (at manifest.Path, end *manifest.Node) {
	for _, step := range path {
		next := step
		if built.IsSequence() {
			next = matchingItem(tree, built, step)
		}
		child := tree.Lookup(manifest.Path{next})
		if next == "" || child == nil {
			return at, nil
		}
		at, tree, built = append(at, next), child, built.Lookup(manifest.Path{step})
	}
	return at, tree
}

// matchingItem returns the item of a list that became an item of a built list: the one with the same name, otherwise an
// equal one, otherwise, in lists of equal length, the one with the same index.
func matchingItem(list, built *manifest.Node, step string) string {
	item := built.Lookup(manifest.Path{step})
	if !list.IsSequence() || item == nil {
		return ""
	}
	found := ""
	for i := range list.Items() {
		other := list.Lookup(manifest.Path{itoa(i)})
		name := item.Get("name").String()
		if same(other, item) || name != "" && other.Get("name").String() == name && other.Get("kind").String() == item.Get("kind").String() {
			if found != "" {
				found = ""
				break
			}
			found = itoa(i)
		}
	}
	if found == "" && len(list.Items()) == len(built.Items()) {
		return step
	}
	return found
}

func same(a, b *manifest.Node) bool {
	return a != nil && b != nil && reflect.DeepEqual(a.Decode(), b.Decode())
}

// sets reports whether a patch sets the field at a path to the value in the built object, and where. A replacement can set
// any value.
func (p patch) sets(built *manifest.Node, path manifest.Path) (at manifest.Path, ok bool) {
	value := built.Lookup(path)
	switch p.what {
	case objects.StrategicPatch:
		at, end := followPath(p.node(), built, path)
		return p.at.Join(at...), same(end, value)
	case objects.Replacement:
		field := strings.Split(p.node().String(), ".")
		return p.at, onlyValueBelow(value, field, path) != nil
	}
	return p.operation(built, path)
}

// operation is sets for an add or replace operation of a JSON patch.
func (p patch) operation(built *manifest.Node, path manifest.Path) (at manifest.Path, ok bool) {
	op := p.node()
	if name := op.Get("op").String(); name != "add" && name != "replace" {
		return nil, false
	}
	pointer := pointerSteps(op.Get("path").String())
	at = p.at.Join("value")
	value := op.Get("value")
	for i, step := range pointer {
		if i == len(path) { // it sets a part, which can be the whole value
			return at, same(onlyValueBelow(built.Lookup(path), pointer, path), value)
		}
		last := built.Lookup(path[:i])
		if step == "-" && last.IsSequence() {
			step = itoa(len(last.Items()) - 1)
		}
		if step != path[i] {
			return nil, false
		}
	}
	rest, end := followPath(value, built.Lookup(path[:len(pointer)]), path[len(pointer):])
	return at.Join(rest...), same(end, built.Lookup(path))
}

// onlyValueBelow returns the value below a path that a longer path leads to, if there is no other value.
func onlyValueBelow(value *manifest.Node, longer []string, path manifest.Path) *manifest.Node {
	if len(longer) < len(path) {
		return nil
	}
	for i, step := range path {
		if longer[i] != step {
			return nil
		}
	}
	for _, step := range longer[len(path):] {
		if !value.IsMapping() || len(value.Fields()) != 1 {
			return nil
		}
		value = value.Get(step)
	}
	return value
}

func pointerSteps(pointer string) []string {
	pointer, absolute := strings.CutPrefix(pointer, "/")
	if !absolute {
		return nil
	}
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps
}

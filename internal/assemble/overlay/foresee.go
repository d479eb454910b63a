package overlay

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// touch is what the text of a patch does to one field.
type touch struct {
	*patch
	// value is what the field is set to; nil if it is removed, or if the text does not show the value.
	value *manifest.Node
	// hidden is set if the text does not show the value: a replacement copies it.
	hidden bool
}

// maxTouches limits the patches of one field whose effects are compared: each can be applied or not.
const maxTouches = 8

// foresee is [tracer.differsWithout] without a build: what patches set, add, and remove is in their texts. It is not known if a patch or a
// field of a kustomization can change the field in a way that its text does not show.
//
// Whether a patch is applied need not be known: of all combinations of applied patches, those count that lead from the value in the source
// to the built one, and they must agree.
func (t *tracer) foresee(p *patch, o *objects.Object, path manifest.Path) (differs, known bool) {
	path, item := split(o, path)
	touches, readable := t.touches(o, path)
	if !readable || len(touches) > maxTouches || selectsAnew(p, touches) {
		return false, false
	}
	effect := t.transforms(o, path)
	if effect == rewrites || effect == renames && len(item) > 0 {
		return false, false
	}
	base, built := sourceOf(o).Node.Lookup(path), o.Node.Lookup(path)
	for applied := range 1 << len(touches) {
		with := result(base, touches, applied, nil)
		if !with.hidden && !equal(with.value, built) && (effect != renames || with.value == nil) {
			continue
		}
		without := result(base, touches, applied, p)
		if without.hidden || effect == renames && without.value != nil {
			return false, false
		}
		now := !equal(without.value.Lookup(item), built.Lookup(item))
		if known && now != differs {
			return false, false
		}
		differs, known = now, true
	}
	return differs, known
}

// result returns the last of the applied touches, leaving out those of the entry of a patch; applied has a bit for each touch.
func result(base *manifest.Node, touches []touch, applied int, leftOut *patch) touch {
	last := touch{value: base}
	for i, one := range touches {
		if applied&(1<<i) != 0 && !(leftOut != nil && one.sameEntry(leftOut)) {
			last = one
		}
	}
	return last
}

func (p *patch) sameEntry(other *patch) bool {
	return p.Path == other.Path && p.field == other.field && p.index == other.index
}

func equal(a, b *manifest.Node) bool { return a == nil && b == nil || same(a, b) }

// selectsAnew reports whether another patch of the field may not be applied without the entry of a patch, because it selects objects by
// what that entry sets.
func selectsAnew(p *patch, touches []touch) bool {
	identifies := slices.ContainsFunc(touches, func(t touch) bool { return t.sameEntry(p) && t.setsMetadata() })
	return identifies && slices.ContainsFunc(touches, func(t touch) bool { return !t.sameEntry(p) })
}

// setsMetadata reports whether a patch may change by what others select an object.
func (p *patch) setsMetadata() bool {
	if p.what != objects.StrategicPatch {
		return strings.HasPrefix(p.node().Get("path").String(), "/metadata") || p.what == objects.Replacement
	}
	return p.options != nil ||
		slices.ContainsFunc(p.node().Get("metadata").Fields(), func(f manifest.Field) bool { return f.Key.String() != "name" && f.Key.String() != "namespace" })
}

// touches returns what patches that may be applied to an object do to a field, in their order. It is false if a text does not show it.
func (t *tracer) touches(o *objects.Object, path manifest.Path) (all []touch, readable bool) {
	if !onlyMappings(o.Node, path) || !onlyMappings(sourceOf(o).Node, path) || identity(path) {
		return nil, false
	}
	for i := range t.patches {
		p := &t.patches[i]
		if p.appliesTo(o) == no {
			continue
		}
		one, changes, ok := p.touch(o, path)
		if !ok {
			return nil, false
		}
		if changes {
			all = append(all, one)
		}
	}
	return all, true
}

// split divides a path behind that of the first list whose items strategic merge patches do not merge: those of kinds of which kustomize has
// no schema are replaced as a whole.
func split(o *objects.Object, path manifest.Path) (list, item manifest.Path) {
	n := o.Node
	for i, step := range path {
		if n.IsSequence() && !hasSchema(o.Group) {
			return path[:i], path[i:]
		}
		n = n.Lookup(manifest.Path{step})
	}
	return path, nil
}

// hasSchema reports whether kustomize may have a schema of the kinds of a group: it has those of Kubernetes itself.
func hasSchema(group string) bool {
	return !strings.Contains(group, ".") || strings.HasSuffix(group, "k8s.io")
}

// onlyMappings reports whether a path leads through mappings, as far as there is something.
func onlyMappings(n *manifest.Node, path manifest.Path) bool {
	for _, step := range path {
		if n == nil {
			return true
		}
		if !n.IsMapping() {
			return false
		}
		n = n.Get(step)
	}
	return true
}

// identity reports whether a path is a part of what identifies an object for kustomize.
func identity(path manifest.Path) bool {
	return len(path) < 2 || path[0] == "metadata" && (path[1] == "name" || path[1] == "namespace")
}

// touch returns what a patch does to the field at a path of mappings. It is not readable if the text does not show it.
func (p *patch) touch(o *objects.Object, path manifest.Path) (one touch, changes, readable bool) {
	switch p.what {
	case objects.StrategicPatch:
		return p.merged(o, path)
	case objects.Replacement:
		relation := compare(strings.Split(p.node().String(), "."), path)
		return touch{patch: p, hidden: true}, relation == here, relation == here || relation == elsewhere
	}
	return p.operated(path)
}

// merged is touch for a strategic merge patch.
func (p *patch) merged(o *objects.Object, path manifest.Path) (one touch, changes, readable bool) {
	n := p.node()
	for _, step := range path {
		if !n.IsMapping() || slices.ContainsFunc(n.Fields(), func(f manifest.Field) bool { return strings.HasPrefix(f.Key.String(), "$") }) {
			return one, false, false
		}
		if n = n.Get(step); n == nil {
			return one, false, true
		}
		if n.IsNull() {
			return touch{patch: p}, true, true
		}
	}
	return touch{patch: p, value: n}, true, n.IsScalar() || n.IsSequence() && !hasSchema(o.Group)
}

// operated is touch for an operation of a JSON patch.
func (p *patch) operated(path manifest.Path) (one touch, changes, readable bool) {
	op := p.node()
	pointer := pointerSteps(op.Get("path").String())
	relation := compare(pointer, path)
	switch op.Get("op").String() {
	case "test":
		return one, false, true
	case "add", "replace":
		switch relation {
		case here:
			return touch{patch: p, value: op.Get("value")}, true, op.Get("value") != nil
		case above:
			rest := path[len(pointer):]
			return touch{patch: p, value: op.Get("value").Lookup(rest)}, true, onlyMappings(op.Get("value"), rest)
		}
	case "remove":
		if relation == here || relation == above {
			return touch{patch: p}, true, true
		}
	case "move", "copy":
		if compare(pointerSteps(op.Get("from").String()), path) != elsewhere {
			return one, false, false
		}
	}
	return one, false, relation == elsewhere
}

// relation is where a field of a patch is, seen from another field.
type relation int

const (
	elsewhere relation = iota
	here
	above
	below
	unclear // the field can be many
)

// compare returns where the field with some steps is, seen from the field at a path.
func compare(steps []string, path manifest.Path) relation {
	for i, step := range steps {
		switch {
		case strings.ContainsAny(step, `*[]\"'`):
			return unclear
		case i == len(path):
			return below
		case step != path[i]:
			return elsewhere
		}
	}
	if len(steps) < len(path) {
		return above
	}
	return here
}

package overlay

import (
	"strings"

	"github.com/salint/salint/internal/inventory"
	"github.com/salint/salint/internal/manifest"
)

// writer is a patch with where its text stands: in a file of its own, or as the scalar of a kustomization that the path
// leads to.
type writer struct {
	patch
	scalar manifest.Path
	// in and at are the document of an application that the patch stands in, and where; nil for the kustomization's own. One that
	// is foreign cannot be edited there.
	in      *inventory.Kustomization
	at      manifest.Path
	foreign bool
}

// writers answers [inventory.Applied.Writers]. Where the documents leave it open whether a patch is applied to the object, a
// build without it tells.
func (t *tracer) writers(o *inventory.Object, path manifest.Path) []inventory.Writer {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := traceKey{o, path.String()}
	if _, known := t.written[key]; !known {
		if t.written == nil {
			t.written = map[traceKey][]inventory.Writer{}
		}
		t.written[key] = t.findWriters(o, path)
	}
	return t.written[key]
}

func (t *tracer) findWriters(o *inventory.Object, path manifest.Path) []inventory.Writer {
	source := o.Source()
	if source == nil {
		return nil
	}
	var all []inventory.Writer
	if source.Node.Lookup(path) != nil {
		all = append(all, inventory.Writer{Doc: source.Doc, Path: source.At(path), What: inventory.Base, Effect: inventory.Sets})
	}
	if t.writing == nil {
		t.writing = writersOf(t.unit, t.edit, t.builder.files)
	}
	for _, w := range t.writing {
		at, effect := w.writes(o, path)
		if effect == "" {
			continue
		}
		hits := w.hits(o)
		unclear := hits == possible || hits == certain && t.times[source.Ref()] != 1
		if hits == no || unclear && !t.differsWithout(&w.patch, o, path) {
			continue
		}
		all = append(all, w.writer(at, effect))
	}
	return all
}

// writer is the patch for those who mend it.
func (w writer) writer(at manifest.Path, effect inventory.Effect) inventory.Writer {
	found := inventory.Writer{
		Kustomization: w.Kustomization, Entry: manifest.Path{w.field, itoa(w.index)}, Inline: w.scalar,
		Doc: w.doc, Path: at, What: w.what, Effect: effect,
	}
	if w.in != nil {
		found.Kustomization, found.Entry = w.in, w.at
	}
	if w.foreign {
		found.Entry, found.Inline, found.Effect = manifest.Path{w.field}, manifest.Path{"patch"}, inventory.Other
		found.Filled = true
	}
	return found
}

// writersOf lists the patches of a unit in the order in which they are applied. Unlike patchesOf it reads those, too, that
// stand in quotes in a kustomization: each text by itself.
func writersOf(u *inventory.Unit, edit *Edit, files *snapshot) []writer {
	var all []writer
	for _, s := range stages(u, edit) {
		for _, field := range []string{"patchesStrategicMerge", "patches", "patchesJson6902", "replacements"} {
			list := s.Doc.Root.Get(field)
			for i := 0; list.IsSequence() && i < len(list.Items); i++ {
				all = append(all, entry{s, field, i, list.Items[i]}.writers(files)...)
			}
			if field == "patches" && edit.is(s.Path) {
				all = append(all, edit.writers(s, files)...)
			}
		}
	}
	return all
}

func (e entry) writers(files *snapshot) []writer {
	text, scalar := e.text()
	var patches []patch
	if scalar == nil {
		patches = e.patches(files)
	} else {
		patches = e.read(parsed(manifest.Scan(e.Doc.File.Path, []byte(text))), e.node.Get("target"))
	}
	all := make([]writer, len(patches))
	for i, p := range patches {
		all[i] = writer{patch: p, scalar: scalar}
	}
	return all
}

// text gives the patch that stands in the kustomization itself, and the path of its scalar; nil for none.
func (e entry) text() (text string, scalar manifest.Path) {
	switch e.field {
	case "replacements":
		return "", nil
	case "patchesStrategicMerge":
		if text = e.node.String(); strings.Contains(text, "\n") {
			return text, e.path()
		}
		return "", nil
	}
	for _, key := range []string{"patch", "ops"} {
		if text = e.node.Get(key).String(); text != "" {
			return text, e.path().Join(key)
		}
	}
	return "", nil
}

// writes says what a patch does to a field of the objects that it is applied to, and where it does so; "" for nothing.
func (p patch) writes(o *inventory.Object, path manifest.Path) (manifest.Path, inventory.Effect) {
	switch p.what {
	case inventory.StrategicPatch:
		return p.merges(o, path)
	case inventory.Replacement:
		return p.at, related(strings.Split(p.node().String(), "."), path, inventory.Sets)
	}
	return p.operates(path)
}

// merges is writes for a strategic merge patch.
func (p patch) merges(o *inventory.Object, path manifest.Path) (manifest.Path, inventory.Effect) {
	at, end := follow(p.node(), o.Node, path)
	if end == nil {
		return nil, ""
	}
	if end.IsNull() || end.Get("$patch").String() == "delete" {
		return p.at.Join(at...), inventory.Deletes
	}
	return p.at.Join(at...), inventory.Sets
}

// operates is writes for an operation of a JSON patch.
func (p patch) operates(path manifest.Path) (manifest.Path, inventory.Effect) {
	op := p.node()
	pointer := pointerSteps(op.Get("path").String())
	switch op.Get("op").String() {
	case "add", "replace":
		if len(pointer) >= len(path) {
			return p.at, related(pointer, path, inventory.Sets)
		}
		rest := path[len(pointer):]
		if related(pointer, path, inventory.Other) == "" || op.Get("value").Lookup(rest) == nil {
			return nil, ""
		}
		return p.at.Join("value").Join(rest...), inventory.Sets
	case "remove":
		return p.at, related(pointer, path, inventory.Deletes)
	case "test":
		return p.at, related(pointer, path, inventory.Tests)
	}
	if from := pointerSteps(op.Get("from").String()); related(from, path, inventory.Sets) != "" {
		return p.at, inventory.Other
	}
	if related(pointer, path, inventory.Sets) != "" {
		return p.at, inventory.Other
	}
	return nil, ""
}

// related is the effect of something that is done to the field at a path, or to a part of it. What is done to something
// around it cannot be undone for the field alone.
func related(steps []string, path manifest.Path, effect inventory.Effect) inventory.Effect {
	for i := range min(len(steps), len(path)) {
		if steps[i] != path[i] {
			return ""
		}
	}
	if len(steps) < len(path) {
		return inventory.Other
	}
	return effect
}

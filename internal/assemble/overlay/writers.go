package overlay

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// writer is a patch with the location of its text: a separate file, or the scalar at a path of a kustomization.
type writer struct {
	patch
	scalar manifest.Path
	// in and at are the document of an application that contains the patch, and the path; nil for the kustomization's own.
	// A foreign one cannot be edited there.
	in      *objects.Kustomization
	at      manifest.Path
	foreign bool
}

// writers implements [objects.Applied.Writers]. If the documents do not determine whether a patch is applied to the object,
// a build without it does.
func (t *tracer) writers(o *objects.Object, path manifest.Path) []objects.Writer {
	t.once.Do(t.readPatches)
	t.mu.Lock()
	defer t.mu.Unlock()
	key := traceKey{o, path.String()}
	if _, known := t.written[key]; !known {
		if t.written == nil {
			t.written = map[traceKey][]objects.Writer{}
		}
		t.written[key] = t.findWriters(o, path)
	}
	return t.written[key]
}

func (t *tracer) findWriters(o *objects.Object, path manifest.Path) []objects.Writer {
	source := sourceOf(o)
	if source == nil {
		return nil
	}
	var all []objects.Writer
	if source.Applied == nil && source.Node.Lookup(path) != nil {
		all = append(all, objects.Writer{Doc: source.Doc, Path: source.At(path), What: objects.Base, Effect: objects.Sets})
	}
	if t.writing == nil {
		t.writing = writersOf(t.unit, t.edit, t.builder.files)
	}
	for _, w := range t.writing {
		at, effect := w.writes(o, path)
		if effect == "" {
			continue
		}
		hits := w.appliesTo(o)
		unclear := hits == possible || hits == certain && t.times[t.keyOf(o).source] != 1
		if hits == no || unclear && !t.differsWithout(&w.patch, o, path) {
			continue
		}
		all = append(all, w.toObject(at, effect))
	}
	return all
}

// toObject returns the patch as an [objects.Writer].
func (w writer) toObject(at manifest.Path, effect objects.Effect) objects.Writer {
	found := objects.Writer{
		Kustomization: w.Kustomization, Entry: manifest.Path{w.field, itoa(w.index)}, Inline: w.scalar,
		Doc: w.doc, Path: at, What: w.what, Effect: effect,
	}
	if w.in != nil {
		found.Kustomization, found.Entry = w.in, w.at
	}
	if w.foreign {
		found.Entry, found.Inline, found.Effect = manifest.Path{w.field}, manifest.Path{"patch"}, objects.Other
		found.Filled = true
	}
	return found
}

// writersOf returns the patches of a unit in the order in which they are applied. Unlike patchesOf it includes quoted
// strings in kustomizations, each parsed separately.
func writersOf(u *objects.Unit, edit *Edit, files *snapshot) []writer {
	var all []writer
	for _, s := range stages(u, edit) {
		for _, field := range []string{"patchesStrategicMerge", "patches", "patchesJson6902", "replacements"} {
			list := s.Doc.Root.Get(field)
			for i := 0; list.IsSequence() && i < len(list.Items()); i++ {
				all = append(all, entry{s, field, i, list.Items()[i]}.writers(files)...)
			}
			if field == "patches" && edit.isFile(s.Path) {
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

// text returns the patch in the kustomization itself, and the path of its scalar; nil if there is none.
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

// writes returns what a patch does to a field of the objects that it is applied to, and where; "" for nothing.
func (p patch) writes(o *objects.Object, path manifest.Path) (manifest.Path, objects.Effect) {
	switch p.what {
	case objects.StrategicPatch:
		return p.merges(o, path)
	case objects.Replacement:
		return p.at, effectOn(strings.Split(p.node().String(), "."), path, objects.Sets)
	}
	return p.operates(path)
}

// merges is writes for a strategic merge patch.
func (p patch) merges(o *objects.Object, path manifest.Path) (manifest.Path, objects.Effect) {
	at, end := followPath(p.node(), o.Node, path)
	if end == nil {
		return nil, ""
	}
	if end.IsNull() || end.Get("$patch").String() == "delete" {
		return p.at.Join(at...), objects.Deletes
	}
	return p.at.Join(at...), objects.Sets
}

// operates is writes for an operation of a JSON patch.
func (p patch) operates(path manifest.Path) (manifest.Path, objects.Effect) {
	op := p.node()
	pointer := pointerSteps(op.Get("path").String())
	switch op.Get("op").String() {
	case "add", "replace":
		if len(pointer) >= len(path) {
			return p.at, effectOn(pointer, path, objects.Sets)
		}
		rest := path[len(pointer):]
		if effectOn(pointer, path, objects.Other) == "" || op.Get("value").Lookup(rest) == nil {
			return nil, ""
		}
		return p.at.Join("value").Join(rest...), objects.Sets
	case "remove":
		return p.at, effectOn(pointer, path, objects.Deletes)
	case "test":
		return p.at, effectOn(pointer, path, objects.Tests)
	}
	if from := pointerSteps(op.Get("from").String()); effectOn(from, path, objects.Sets) != "" {
		return p.at, objects.Other
	}
	if effectOn(pointer, path, objects.Sets) != "" {
		return p.at, objects.Other
	}
	return nil, ""
}

// effectOn returns the effect of changing the field at a path, or a part of it. A change of a surrounding field cannot be
// undone for the field alone.
func effectOn(steps []string, path manifest.Path, effect objects.Effect) objects.Effect {
	for i := range min(len(steps), len(path)) {
		if steps[i] != path[i] {
			return ""
		}
	}
	if len(steps) < len(path) {
		return objects.Other
	}
	return effect
}

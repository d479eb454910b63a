package identity

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// removeField removes the account of extensions of one family wherever it is set: in their file, in patches, in replacements.
// What sets it for those that keep it stays, and where that would set it for one of the leaving, too, the kustomization at
// the root of its unit removes it again.
func removeField(c *engine.Context, p *engine.Plan, f *appliedVariants, leaving, keeping []*Variant) error {
	kept := map[string]bool{}
	for _, v := range keeping {
		for _, path := range v.accountPaths() {
			for _, w := range v.writers(path) {
				kept[engine.WriterKey(w)] = true
			}
		}
	}
	up := engine.FieldRemoval{Keep: kept}
	for _, v := range leaving {
		for _, path := range v.accountPaths() {
			if err := removeFrom(&up, c, p, v, path, keeping); err != nil {
				return err
			}
		}
	}
	if len(keeping) == 0 {
		for _, v := range f.where(func(v *Variant) bool { return v.Account.State == olm.Absent }) {
			for _, path := range v.accountPaths() {
				up.Add(v.writers(path)...) // what deletes the field has nothing left to delete
			}
		}
	}
	return up.AddChanges(p)
}

// accountPaths are the places of the account in the extension; that of one without leads to where it would be.
func (e *Variant) accountPaths() []manifest.Path {
	paths := []manifest.Path{e.Account.Path}
	for _, other := range e.Others {
		paths = append(paths, other.Path)
	}
	return paths
}

// writers lists what does something to a field of the extension, in the one unit that it is of.
func (e *Variant) writers(path manifest.Path) []objects.Writer {
	return engine.WritersOf(e.Object, path)
}

// removeFrom takes the field from one extension.
func removeFrom(r *engine.FieldRemoval, c *engine.Context, p *engine.Plan, e *Variant, path manifest.Path, keeping []*Variant) error {
	writers := e.writers(path)
	if err := checkWriters(e, path, writers); err != nil {
		return err
	}
	var stays *objects.Writer
	for i, w := range writers {
		if w.Effect == objects.Sets && r.Keep[engine.WriterKey(w)] {
			stays = &writers[i]
		}
	}
	for _, w := range writers {
		if !r.Keep[engine.WriterKey(w)] {
			r.Add(w) // with what sets it goes what tests it, or deletes it on the way
		}
	}
	noteSharedPatches(p, e, path, slices.DeleteFunc(slices.Clone(writers), func(w objects.Writer) bool { return r.Keep[engine.WriterKey(w)] }))
	unit := e.Units[0]
	if stays != nil {
		root, err := removeByPatch(c, p, e, path)
		if err != nil {
			return err
		}
		p.AddNote("%s requires %s, so it stays in %s: %s removes it with a patch",
			keeping[0].Units[0], path, stays.Position().File, root.Path)
	}
	if engine.MayBeBuilt(unit) {
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: unit, Object: e.Object, Op: engine.RemoveValue, Path: e.removedPath(path, stays != nil)})
	}
	return nil
}

// checkWriters refuses writers whose effect on a field cannot be undone separately, and a field whose writer is unknown.
func checkWriters(e *Variant, path manifest.Path, writers []objects.Writer) error {
	if err := engine.CheckWriters(writers, path.String()); err != nil {
		return err
	}
	if slices.ContainsFunc(writers, func(w objects.Writer) bool { return w.Effect == objects.Sets }) {
		return nil
	}
	return engine.RefuseUnknownWriter(engine.UnitObject{Unit: e.Units[0], Object: e.Object}, path.String(), e.Object.Position(path))
}

// removedPath is the path of what the built extension loses: with the field that around it which only patches make, and which
// is left with nothing.
func (e *Variant) removedPath(path manifest.Path, byPatch bool) manifest.Path {
	source := e.Object.Source()
	for n := len(path) - 1; n > 0 && !byPatch; n-- {
		around := e.Object.Node.Lookup(path[:n])
		if len(around.Fields) > 1 || source.Node.Lookup(path[:n]) != nil {
			break
		}
		path = path[:n]
	}
	return path
}

// removeByPatch has the kustomization at the root of the extension's unit remove the field that its base has to keep. The
// name in the target is that in the file: kustomize finds an object under every name that it has had.
func removeByPatch(c *engine.Context, p *engine.Plan, e *Variant, path manifest.Path) (*objects.Kustomization, error) {
	root, err := rootKustomization(c, e)
	if err != nil {
		return nil, err
	}
	source := e.Object.Source()
	field, target := "patches", map[string]any{"kind": source.Kind, "name": source.Name}
	if source.Group != "" {
		target["group"] = source.Group
	}
	fields := root.Doc.Root
	var item any = map[string]any{"target": target, "patch": "- op: remove\n  path: /" + strings.Join(path, "/")}
	switch legacy := "patchesJson6902"; {
	case fields.Get("patches") != nil:
	case fields.Get(legacy) != nil:
		field = legacy
		_, target["version"] = objects.SplitAPIVersion(source.APIVersion)
	case fields.Get("patchesStrategicMerge") != nil:
		field, item = "patchesStrategicMerge", deletionPatch(source, path)
	}
	p.AppendToKustomization(root, field, item, repo.OrderOther)
	return root, nil
}

// deletionPatch is a strategic merge patch that deletes a field.
func deletionPatch(o *objects.Object, path manifest.Path) string {
	var b strings.Builder
	b.WriteString("apiVersion: " + o.APIVersion + "\nkind: " + o.Kind + "\nmetadata:\n  name: " + o.Name + "\n")
	for i, step := range path {
		b.WriteString(strings.Repeat("  ", i) + step + ":")
		if i == len(path)-1 {
			b.WriteString(" null")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

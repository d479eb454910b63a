package identity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// removeField removes the account of an extension wherever it is set: in the file, in patches, and in replacements. Writers
// that variants in keeping need stay. If they would also set the field of a variant in leaving, the kustomization at the root
// of its unit removes the field again.
func removeField(c *engine.Context, p *engine.Plan, f *appliedVariants, leaving, keeping []*Variant) error {
	kept := map[string]bool{}
	for _, v := range keeping {
		for _, path := range v.accountPaths() {
			for _, w := range v.writers(path) {
				kept[engine.WriterKey(w)] = true
			}
		}
		if !c.Scope.Allows(v.Units[0], v.Object) {
			keepFile(kept, v)
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
				up.Add(v.writers(path)...) // patches that delete the field no longer have an effect
			}
		}
	}
	return up.AddChanges(p)
}

// keepFile keeps the field in the file of a variant, also if it is unknown what the unit makes of it.
func keepFile(kept map[string]bool, v *Variant) {
	source := v.Object.Source()
	if source == nil {
		return
	}
	for _, path := range v.accountPaths() {
		for _, w := range engine.WritersOf(source, path) {
			kept[engine.WriterKey(w)] = true
		}
	}
}

// accountPaths returns the paths of the accounts of the extension. The path of a missing account is where it would be.
func (v *Variant) accountPaths() []manifest.Path {
	paths := []manifest.Path{v.Account.Path}
	for _, other := range v.Others {
		paths = append(paths, other.Path)
	}
	return paths
}

// writers returns what writes a field of the extension, in the only unit of the variant.
func (v *Variant) writers(path manifest.Path) []objects.Writer {
	return engine.WritersOf(v.Object, path)
}

// removeFrom removes the field from one variant.
func removeFrom(r *engine.FieldRemoval, c *engine.Context, p *engine.Plan, v *Variant, path manifest.Path, keeping []*Variant) error {
	writers := v.writers(path)
	if err := checkWriters(v, path, writers); err != nil {
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
			r.Add(w) // patches that test the field or delete it go together with those that set it
		}
	}
	noteSharedPatches(p, v, path, slices.DeleteFunc(slices.Clone(writers), func(w objects.Writer) bool { return r.Keep[engine.WriterKey(w)] }))
	unit := v.Units[0]
	if stays != nil {
		root, err := removeByPatch(c, p, v, path)
		if err != nil {
			return err
		}
		p.AddNote("%s: %s removes it with a patch", whyKept(c, keeping, path, stays.Position().File), root.Path)
	}
	if engine.MayBeBuilt(unit) {
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: unit, Object: v.Object, Op: engine.RemoveValue, Path: v.removedPath(path, stays != nil)})
	}
	return nil
}

// whyKept returns why a field stays in a file.
func whyKept(c *engine.Context, keeping []*Variant, path manifest.Path, file string) string {
	var outside []*objects.Unit
	for _, v := range keeping {
		if c.Scope.Allows(v.Units[0], v.Object) {
			return fmt.Sprintf("%s, so it stays in %s", keepingClause(c, v, path), file)
		}
		outside = append(outside, v.Units[0])
	}
	return fmt.Sprintf("%s stays in %s, because the given paths do not include %s", path, file, engine.UnitList(outside))
}

// keepingClause says why a unit keeps a field, as the beginning of a sentence.
func keepingClause(c *engine.Context, v *Variant, path manifest.Path) string {
	if strictestModel(c, v) == olm.Unknown {
		return fmt.Sprintf("%s can require %s, because its OLM release is unknown", v.Units[0], path)
	}
	return fmt.Sprintf("%s requires %s", v.Units[0], path)
}

// checkWriters refuses writers whose effect on a field cannot be undone separately, and a field whose writer is unknown.
func checkWriters(v *Variant, path manifest.Path, writers []objects.Writer) error {
	if err := engine.CheckWriters(writers, path.String()); err != nil {
		return err
	}
	if slices.ContainsFunc(writers, func(w objects.Writer) bool { return w.Effect == objects.Sets }) {
		return nil
	}
	return engine.RefuseUnknownWriter(engine.UnitObject{Unit: v.Units[0], Object: v.Object}, path.String(), v.Object.Position(path))
}

// removedPath returns the path that the built extension loses: with the field, the mappings around it that only patches add
// and that are left empty.
func (v *Variant) removedPath(path manifest.Path, byPatch bool) manifest.Path {
	source := v.Object.Source()
	for n := len(path) - 1; n > 0 && !byPatch; n-- {
		around := v.Object.Node.Lookup(path[:n])
		if len(around.Fields()) > 1 || source.Node.Lookup(path[:n]) != nil {
			break
		}
		path = path[:n]
	}
	return path
}

// removeByPatch adds a patch that removes the field to the kustomization at the root of the variant's unit. The target has
// the name in the file: kustomize finds an object under each of its former names.
func removeByPatch(c *engine.Context, p *engine.Plan, v *Variant, path manifest.Path) (*objects.Kustomization, error) {
	root, err := rootKustomization(c, v)
	if err != nil {
		return nil, err
	}
	source := v.Object.Source()
	p.AppendPatch(root, source, strategicPatch(source, path, " null"))
	return root, nil
}

// strategicPatch returns a strategic merge patch that gives a field a value; the value of a field that is deleted is null.
func strategicPatch(o *objects.Object, path manifest.Path, value string) string {
	var b strings.Builder
	b.WriteString("apiVersion: " + o.APIVersion + "\nkind: " + o.Kind + "\nmetadata:\n  name: " + o.Name + "\n")
	for i, step := range path {
		b.WriteString(strings.Repeat("  ", i) + step + ":")
		if i == len(path)-1 {
			b.WriteString(value)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

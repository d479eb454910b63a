package prune

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// danglingPatch is a patch of a kustomization that names an object which is removed, and changes no other object. It is removed
// as well: kustomize fails if a patch finds nothing.
type danglingPatch struct {
	objects.Writer
	// of are the references of the manifests that it changes.
	of []string
	// shared is set if other entries read its file too, so that only the entry is removed.
	shared bool
}

// danglingPatches returns the patches that are left without an object if a set of objects is removed.
func (p *Pruner) danglingPatches(gone removedSet) []*danglingPatch {
	var all []*danglingPatch
	known := map[string]*danglingPatch{}
	for _, o := range p.removable() {
		ref := refOf(p.c, o)
		if isRendered(o) || !gone.object(ref) {
			continue
		}
		for _, form := range p.c.Repo.AppliedForms(o) {
			for _, w := range patchesNaming(form.Object) {
				key := patchKey(w)
				if known[key] == nil {
					known[key] = &danglingPatch{Writer: w}
					all = append(all, known[key])
				}
				if patch := known[key]; !slices.Contains(patch.of, ref) {
					patch.of = append(patch.of, ref)
				}
			}
		}
	}
	all = slices.DeleteFunc(all, func(d *danglingPatch) bool { return p.changesAnother(d, gone) })
	for _, d := range all {
		d.shared = d.Inline == nil && countEntries(all, d.Doc.File.Path) < p.c.CountEntries(d.Doc.File.Path)
	}
	return all
}

// removable returns the objects that may be removed: accounts, token Secrets, bindings, and roles.
func (p *Pruner) removable() []*objects.Object {
	all := slices.Clone(p.roles)
	seen := map[string]bool{}
	add := func(o *objects.Object) {
		if ref := refOf(p.c, o); !seen[ref] {
			seen[ref] = true
			all = append(all, o)
		}
	}
	for _, cand := range p.candidates {
		add(cand.object)
		for _, o := range cand.secrets {
			add(o)
		}
		for _, s := range cand.subjects {
			add(s.Object)
		}
	}
	return all
}

// patchesNaming returns the patches that change an object and name it. A patch that selects objects in another way is no
// mistake if it finds none.
func patchesNaming(o *objects.Object) []objects.Writer {
	if o.Applied == nil || o.Applied.Writers == nil || o.Source() == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(o.Applied.Writers(nil)), func(w objects.Writer) bool {
		if w.Kustomization == nil || w.Filled || w.What != objects.StrategicPatch && w.What != objects.JSONPatch {
			return true
		}
		kind, name := patchTarget(w)
		return kind != o.Kind || name != o.Name && name != o.Source().Name
	})
}

// patchTarget returns the kind and the name of the object that a patch names.
func patchTarget(w objects.Writer) (kind, name string) {
	if target := w.Kustomization.Doc.Root.Lookup(w.Entry).Get("target"); target != nil {
		return target.Get("kind").String(), target.Get("name").String()
	}
	return w.Doc.Root.Get("kind").String(), w.Doc.Root.Lookup(manifest.Path{"metadata", "name"}).String()
}

// patchKey identifies a patch: the operations of a JSON patch are one.
func patchKey(w objects.Writer) string {
	return strings.Join([]string{w.Kustomization.Path, w.Entry.String(), engine.WriterTextKey(w)}, "\n")
}

// changesAnother reports whether a patch changes an object that stays, or cannot be removed alone.
func (p *Pruner) changesAnother(d *danglingPatch, gone removedSet) bool {
	if d.Inline != nil && len(d.Doc.File.Docs) > 1 {
		return true
	}
	key := patchKey(d.Writer)
	kind, _ := patchTarget(d.Writer)
	for _, unit := range p.c.Repo.Units {
		if !unit.Built || !unit.Reads(d.Kustomization.Path) {
			continue
		}
		for _, o := range unit.Find(objects.Query{Kind: kind}) {
			if gone.object(applied.SourceRef(o)) {
				continue
			}
			if slices.ContainsFunc(patchesNaming(o), func(w objects.Writer) bool { return patchKey(w) == key }) {
				return true
			}
		}
	}
	return false
}

// patch reports whether a mention is in a patch that is removed.
func (r removedSet) patch(m uses.Place) bool {
	return slices.ContainsFunc(r.patches, func(d *danglingPatch) bool {
		if d.Inline == nil {
			return !d.shared && m.File == d.Doc.File.Path && (len(d.Doc.File.Docs) == 1 || strings.HasPrefix(m.Ref, applied.DocumentRef(d.Doc)))
		}
		return m.File == d.Kustomization.Path && engine.IsWithin(d.Entry, m.Path)
	})
}

// removePatches lets a plan remove the patches that name the objects which it removes.
func (p *Pruner) removePatches(plan *engine.Plan) {
	for _, d := range p.removed.patches {
		if slices.ContainsFunc(d.of, func(ref string) bool { return p.removes(plan, ref) }) {
			p.removePatch(plan, d)
		}
	}
}

// removes reports whether a plan removes an object: alone, or as one of the plans that remove the subjects of a binding.
func (p *Pruner) removes(plan *engine.Plan, ref string) bool {
	if slices.ContainsFunc(p.removed.objects[ref], func(cand *candidate) bool { return cand.plan == plan }) {
		return true
	}
	return applied.SourceRef(plan.Object) == ref
}

// removePatch removes a patch: its entry in the kustomization, or its document, and with its last document the file and the entry.
// A file that other entries read stays.
func (p *Pruner) removePatch(plan *engine.Plan, d *danglingPatch) {
	hasTarget := d.Kustomization.Doc.Root.Lookup(d.Entry).Get("target") != nil
	isWhole := hasTarget || len(d.Doc.File.Docs) == 1
	switch {
	case d.Inline != nil, d.shared && isWhole:
		plan.AddDocumentChange(d.Kustomization.Doc, engine.Change{Op: engine.RemoveValue, Path: d.Entry})
	case d.shared: // the build fails, so the account stays
	case isWhole:
		for _, doc := range d.Doc.File.Docs {
			plan.AddDocumentChange(doc, engine.Change{Op: engine.RemoveDocument})
		}
	default:
		plan.AddDocumentChange(d.Doc, engine.Change{Op: engine.RemoveDocument})
	}
}

// countEntries counts the entries of kustomizations that read a patch file, among those that are removed.
func countEntries(removed []*danglingPatch, file string) int {
	found := map[string]bool{}
	for _, d := range removed {
		if d.Inline == nil && d.Doc.File.Path == file {
			found[d.Kustomization.Path+" "+d.Entry.String()] = true
		}
	}
	return len(found)
}

package pods

import (
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// replaceAlias removes serviceAccount from every place that sets it. If serviceAccountName is not set in all units that a
// place reaches, the field there is renamed instead, and renames is true.
func replaceAlias(c *engine.Context, p *engine.Plan, forms []aliasedForm) (renames bool, err error) {
	renamed := map[string]bool{}
	for _, f := range forms {
		if f.isNamed() {
			continue
		}
		for _, w := range f.writers {
			if f.text(AccountAlias) != "" || w.Effect != objects.Sets || len(f.writers) > 1 {
				renamed[engine.WriterKey(w)] = true
			}
		}
	}
	going, staying := &engine.FieldRemoval{}, &engine.FieldRemoval{}
	for _, f := range forms {
		for _, w := range f.writers {
			if renamed[engine.WriterKey(w)] {
				staying.Add(w)
			} else {
				going.Add(w)
			}
		}
		declareAlias(p, f, renamed)
	}
	if err := renameAliases(p, staying.Writers, going.Writers); err != nil {
		return false, err
	}
	return len(staying.Writers) > 0, going.AddChanges(p)
}

// declareAlias declares the change of the pod in a unit that is built.
func declareAlias(p *engine.Plan, f aliasedForm, renamed map[string]bool) {
	if f.pod.Get(AccountAlias) == nil || !engine.MayBeBuilt(f.Unit) {
		return
	}
	name, hasName := f.pod.Field(manifest.Path{PodAccountField})
	last := f.writers[len(f.writers)-1]
	change := engine.AppliedChange{Unit: f.Unit, Object: f.Object, Op: engine.RemoveValue, Path: f.path.Join(AccountAlias)}
	switch {
	case f.isNamed() || !renamed[engine.WriterKey(last)]:
	case !hasName:
		change.Op, change.Value = engine.RenameField, PodAccountField
	case name.Value.String() != f.text(AccountAlias):
		p.Applied = append(p.Applied, engine.AppliedChange{Unit: f.Unit, Object: f.Object, Op: engine.SetText,
			Path: f.path.Join(PodAccountField), Value: f.text(AccountAlias)})
	}
	p.Applied = append(p.Applied, change)
}

// renameAliases renames serviceAccount where it is set. An inline patch of a kustomization is edited as a text.
func renameAliases(p *engine.Plan, writers, going []objects.Writer) error {
	inline := map[string][]byte{}
	for _, w := range writers {
		changes := renameChanges(w)
		if w.Inline == nil {
			for _, change := range changes {
				p.AddDocumentChange(w.Doc, change)
			}
			continue
		}
		key := engine.WriterTextKey(w)
		text, begun := inline[key]
		if !begun {
			text = w.Doc.File.Data
		}
		for _, other := range going {
			if engine.WriterTextKey(other) == key {
				return engine.Refuse("the patch at %s sets serviceAccount more than once: change it by hand", w.Position())
			}
		}
		for _, change := range changes {
			var err error
			if text, err = engine.EditText(w.Doc, text, change.Op, change); err != nil {
				return engine.Refuse("the patch at %s cannot be edited (%v): rename the field there by hand", w.Position(), err)
			}
		}
		inline[key] = text
	}
	done := map[string]bool{}
	for _, w := range writers {
		if key := engine.WriterTextKey(w); w.Inline != nil && !done[key] {
			done[key] = true
			p.AddDocumentChange(w.Kustomization.Doc, engine.Change{Op: engine.SetText, Path: w.Inline, Value: string(inline[key])})
		}
	}
	return nil
}

// renameChanges returns the changes that rename one writer. Operations and replacements name the field in a text.
func renameChanges(w objects.Writer) []engine.Change {
	leads := w.Path
	if w.What == objects.JSONPatch && len(w.Path) == 1 {
		leads = w.Path.Join("path")
	}
	node := w.Doc.Root.Lookup(leads)
	if w.What == objects.Replacement || len(leads) > len(w.Path) {
		return []engine.Change{{Op: engine.SetText, Path: leads, Value: strings.TrimSuffix(node.String(), AccountAlias) + PodAccountField}}
	}
	around := leads[:len(leads)-1]
	if field, there := w.Doc.Root.Lookup(around).Field(manifest.Path{PodAccountField}); there && field.Value.String() == "" {
		return []engine.Change{
			{Op: engine.SetText, Path: around.Join(PodAccountField), Value: node.String()},
			{Op: engine.RemoveValue, Path: leads},
		}
	}
	return []engine.Change{{Op: engine.RenameField, Path: leads, Value: PodAccountField}}
}

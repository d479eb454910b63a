package fixers

import (
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// replaceAlias takes serviceAccount out of every place that sets it. Where serviceAccountName says as whom the pod runs in all
// units that the place reaches, it goes; else it becomes serviceAccountName, and renames is true.
func replaceAlias(c *Context, p *Plan, forms []aliasedForm) (renames bool, err error) {
	renamed := map[string]bool{}
	for _, f := range forms {
		if f.isNamed() {
			continue
		}
		for _, w := range f.writers {
			if f.text(accountAlias) != "" || w.Effect != objects.Sets || len(f.writers) > 1 {
				renamed[writerKey(w)] = true
			}
		}
	}
	going, staying := &fieldRemoval{}, &fieldRemoval{}
	for _, f := range forms {
		for _, w := range f.writers {
			if renamed[writerKey(w)] {
				staying.add(w)
			} else {
				going.add(w)
			}
		}
		declareAlias(p, f, renamed)
	}
	if err := renameAliases(p, staying.writers, going.writers); err != nil {
		return false, err
	}
	return len(staying.writers) > 0, going.addChanges(p)
}

// declareAlias says what becomes of the pod in a unit that is built.
func declareAlias(p *Plan, f aliasedForm, renamed map[string]bool) {
	if f.pod.Get(accountAlias) == nil || !mayBeBuilt(f.unit) {
		return
	}
	name, hasName := f.pod.Field(manifest.Path{podAccountField})
	last := f.writers[len(f.writers)-1]
	change := AppliedChange{Unit: f.unit, Object: f.object, Op: RemoveValue, Path: f.path.Join(accountAlias)}
	switch {
	case f.isNamed() || !renamed[writerKey(last)]:
	case !hasName:
		change.Op, change.Value = RenameField, podAccountField
	case name.Value.String() != f.text(accountAlias):
		p.Applied = append(p.Applied, AppliedChange{Unit: f.unit, Object: f.object, Op: SetText,
			Path: f.path.Join(podAccountField), Value: f.text(accountAlias)})
	}
	p.Applied = append(p.Applied, change)
}

// renameAliases makes serviceAccount serviceAccountName where it is set. Patches that stand as a text in a kustomization are
// edited as that text.
func renameAliases(p *Plan, writers, going []objects.Writer) error {
	inline := map[string][]byte{}
	for _, w := range writers {
		changes := renameChanges(w)
		if w.Inline == nil {
			for _, change := range changes {
				p.addDocumentChange(w.Doc, change)
			}
			continue
		}
		key := writerTextKey(w)
		text, begun := inline[key]
		if !begun {
			text = w.Doc.File.Data
		}
		for _, other := range going {
			if writerTextKey(other) == key {
				return refuse("the patch at %s sets serviceAccount more than once: change it by hand", w.Position())
			}
		}
		for _, change := range changes {
			var err error
			if text, err = editText(w.Doc, text, change.Op, change); err != nil {
				return refuse("the patch at %s cannot be edited (%v): rename the field there by hand", w.Position(), err)
			}
		}
		inline[key] = text
	}
	done := map[string]bool{}
	for _, w := range writers {
		if key := writerTextKey(w); w.Inline != nil && !done[key] {
			done[key] = true
			p.addDocumentChange(w.Kustomization.Doc, Change{Op: SetText, Path: w.Inline, Value: string(inline[key])})
		}
	}
	return nil
}

// renameChanges is how one place is changed: an operation or a replacement leads to the field by a text.
func renameChanges(w objects.Writer) []Change {
	leads := w.Path
	if w.What == objects.JSONPatch && len(w.Path) == 1 {
		leads = w.Path.Join("path")
	}
	node := w.Doc.Root.Lookup(leads)
	if w.What == objects.Replacement || len(leads) > len(w.Path) {
		return []Change{{Op: SetText, Path: leads, Value: strings.TrimSuffix(node.String(), accountAlias) + podAccountField}}
	}
	around := leads[:len(leads)-1]
	if field, there := w.Doc.Root.Lookup(around).Field(manifest.Path{podAccountField}); there && field.Value.String() == "" {
		return []Change{
			{Op: SetText, Path: around.Join(podAccountField), Value: node.String()},
			{Op: RemoveValue, Path: leads},
		}
	}
	return []Change{{Op: RenameField, Path: leads, Value: podAccountField}}
}

package prune

import (
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// removeDeletePatches lets a plan that removes a manifest also remove the patches with which units delete its object, and nothing
// else: they would be left without an effect.
func (p *Pruner) removeDeletePatches(plan *engine.Plan, o *objects.Object) {
	source := o.Source()
	if source == nil {
		return
	}
	seen := map[string]bool{}
	for _, u := range p.c.Repo.Units {
		if len(u.Kustomizations) == 0 || !u.Reads(source.File) || p.appliesOwn(u, o) {
			continue
		}
		for _, k := range u.Kustomizations {
			if seen[k.Path] {
				continue
			}
			seen[k.Path] = true
			for _, path := range engine.DeletePatches(k, source) {
				plan.AddDocumentChange(k.Doc, engine.Change{Op: engine.RemoveValue, Path: path})
			}
		}
	}
}

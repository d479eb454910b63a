package lint

import (
	"context"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/kube/objects"
)

// deferredUnits returns the units that are deferred.
func deferredUnits(units []*objects.Unit) []*objects.Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *objects.Unit) bool { return !u.Deferred() })
}

// buildFor builds the deferred units that fixes of findings need. Most fixes ask about all units.
func (r *run) buildFor(ctx context.Context, found []judgedFinding) error {
	var needed []*objects.Unit
	fixed := slices.DeleteFunc(slices.Clone(found), func(f judgedFinding) bool { return f.report.Fix == nil })
	pending := slices.DeleteFunc(slices.Clone(r.Units), func(u *objects.Unit) bool { return !u.Pending() })
	isLocal := r.judging.scope.SelectsAll() && !slices.ContainsFunc(fixed, func(f judgedFinding) bool { return !fixers.IsLocal(f.report.Fix.Name) })
	switch {
	case len(fixed) == 0 || len(pending) == 0:
	case isLocal:
		files := r.filesAround(fixed)
		needed = slices.DeleteFunc(pending, func(u *objects.Unit) bool { return !readsAny(u, files) })
	default:
		needed = pending
	}
	if err := parallel.Do(ctx, len(needed), func(i int) { needed[i].Applied() }); err != nil {
		return err
	}
	r.Units = slices.Clone(r.Units)
	for i, u := range r.Units {
		if !u.Pending() {
			r.Units[i] = u.Applied()
		}
	}
	return nil
}

// filesAround returns the kustomizations and the patches of the units that apply the objects of findings.
func (r *run) filesAround(found []judgedFinding) map[string]bool {
	files := map[string]bool{}
	for _, u := range r.Units {
		if u.Deferred() || !slices.ContainsFunc(found, func(f judgedFinding) bool { return u.Reads(f.report.Object.File) }) {
			continue
		}
		for _, k := range u.Kustomizations {
			files[k.Path] = true
		}
		for _, input := range u.NonObjectInputs {
			files[input.File] = true
		}
	}
	return files
}

func readsAny(u *objects.Unit, files map[string]bool) bool {
	return slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return files[k.Path] }) ||
		slices.ContainsFunc(u.NonObjectInputs, func(input objects.NonObjectInput) bool { return files[input.File] })
}

package fixing

import (
	"context"
	"slices"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/internal/base/parallel"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/lint/judging"
)

// buildFor builds the deferred units that fixes of findings need. Most fixes ask about all units.
func (r *Round) buildFor(ctx context.Context, found []judging.Finding) error {
	var needed []*objects.Unit
	fixed := slices.DeleteFunc(slices.Clone(found), func(f judging.Finding) bool { return f.Report.Fix == nil })
	pending := slices.DeleteFunc(slices.Clone(r.snapshot.Units), func(u *objects.Unit) bool { return !u.Pending() })
	isLocal := r.judge.Scope.SelectsAll() && !slices.ContainsFunc(fixed, func(f judging.Finding) bool { return !fixers.IsLocal(f.Report.Fix.Name) })
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
	r.snapshot.TakeBuilt()
	return nil
}

// filesAround returns the kustomizations and the patches of the units that apply the objects of findings.
func (r *Round) filesAround(found []judging.Finding) map[string]bool {
	files := map[string]bool{}
	for _, u := range r.snapshot.Units {
		if u.Deferred() || !slices.ContainsFunc(found, func(f judging.Finding) bool { return u.Reads(f.Report.Object.File) }) {
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
